/** Which command starts the server: found here without VS Code, so that it can be tested without it. */

import { existsSync } from "node:fs";
import { join } from "node:path";

export interface Places {
  /** `prefixlint.path`: a command with its arguments, or nothing. */
  configured: readonly string[];
  /** The interpreter that the Python extension has chosen for the workspace. */
  interpreter?: string;
  /** The folders of the workspace. */
  folders: readonly string[];
}

export interface Command {
  command: string;
  args: string[];
}

const VARIABLE = /\$\{workspaceFolder\}/g;

/** The configured command, else the environment's Python, else that of `.venv`, else `prefixlint` on PATH. */
export function serverCommand(places: Places, platform: NodeJS.Platform, exists = existsSync): Command {
  const [first, ...rest] = places.configured.map((part) => part.replace(VARIABLE, () => places.folders[0] ?? ""));
  if (first) {
    return { command: first, args: [...rest, "server"] };
  }
  const inside = platform === "win32" ? ["Scripts", "prefixlint.exe"] : ["bin", "prefixlint"];
  const candidates = places.folders.map((folder) => join(folder, ".venv", ...inside));
  if (places.interpreter) {
    const name = inside[1] ?? "prefixlint";
    candidates.unshift(join(places.interpreter, "..", name));
  }
  const found = candidates.find((candidate) => exists(candidate));
  return { command: found ?? "prefixlint", args: ["server"] };
}
