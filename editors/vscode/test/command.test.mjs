import assert from "node:assert/strict";
import { buildSync } from "esbuild";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const out = join(mkdtempSync(join(tmpdir(), "prefixlint-")), "command.mjs");
buildSync({ entryPoints: ["src/command.ts"], bundle: true, platform: "node", format: "esm", outfile: out });
const { serverCommand } = await import(pathToFileURL(out).href);

const folders = ["/home/me/app", "/home/me/other"];
const only = (...paths) => (path) => paths.includes(path);

test("a configured command comes first, with the workspace's folder in it", () => {
  const configured = ["${workspaceFolder}/tools/uv", "run", "prefixlint"];
  const found = serverCommand({ configured, interpreter: "/env/bin/python", folders }, "linux", () => true);
  assert.deepEqual(found, { command: "/home/me/app/tools/uv", args: ["run", "prefixlint", "server"] });
});

test("then the environment that the Python extension has chosen", () => {
  const exists = only("/env/bin/prefixlint", "/home/me/app/.venv/bin/prefixlint");
  const found = serverCommand({ configured: [], interpreter: "/env/bin/python", folders }, "linux", exists);
  assert.deepEqual(found, { command: "/env/bin/prefixlint", args: ["server"] });
});

test("then .venv of a folder of the workspace, then PATH", () => {
  const places = { configured: [], interpreter: "/env/bin/python", folders };
  const own = "/home/me/other/.venv/bin/prefixlint";
  assert.equal(serverCommand(places, "linux", only(own)).command, own);
  assert.equal(serverCommand(places, "linux", only()).command, "prefixlint");
});
