import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

import { serverCommand } from "./command";

const SECTION = "prefixlint";
const LANGUAGES = ["python", "yaml", "json", "jinja", "jinja-html", "markdown", "plaintext", "prompt"];

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("prefixlint.restart", restart),
    vscode.commands.registerCommand("prefixlint.report", report),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration(`${SECTION}.path`) || event.affectsConfiguration(`${SECTION}.enable`)) {
        await restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  if (!settings.get<boolean>("enable", true)) {
    return;
  }
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
  const configured = settings.get<string[]>("path", []);
  const interpreter = await chosenInterpreter();
  const { command, args } = serverCommand({ configured, interpreter, folders }, process.platform);
  const server: ServerOptions = { command, args, options: { cwd: folders[0] } };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.flatMap((language) => [
      { scheme: "file", language },
      { scheme: "untitled", language },
    ]),
    initializationOptions: { ...settings },
    synchronize: { configurationSection: SECTION },
  };
  const next = new LanguageClient(SECTION, "prefixlint", server, options);
  try {
    await next.start();
    client = next;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(
      `prefixlint: ${command} did not start (${reason}). Install it with: pip install 'prefixlint[server]'`,
    );
  }
}

/** The Python of the workspace, if the Python extension is there to say. */
async function chosenInterpreter(): Promise<string | undefined> {
  const python = vscode.extensions.getExtension("ms-python.python");
  if (python === undefined) {
    return undefined;
  }
  const api: unknown = python.isActive ? python.exports : await python.activate();
  const environments = (api as { environments?: { getActiveEnvironmentPath?: () => { path?: string } } }).environments;
  return environments?.getActiveEnvironmentPath?.().path;
}

/** The server writes the report and asks to have it shown. */
async function report(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (client !== undefined && document !== undefined) {
    await client.sendRequest("workspace/executeCommand", {
      command: "prefixlint.openReport",
      arguments: [client.code2ProtocolConverter.asUri(document.uri)],
    });
  }
}
