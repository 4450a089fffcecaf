// An extension for pi, which has neither permissions nor a flag for MCP servers.
//
// A2UI_MCP_CONFIG: path of a file {"mcpServers": {...}}, whose servers are there for this session only.
// A2UI_PERMISSIONS=ask: before a tool acts, ask the person. Reading needs no question, and neither do the tools whose
// names start with one of A2UI_TRUSTED_TOOLS (separated by spaces).
import { readFileSync } from "node:fs";

const READING = new Set(["read", "ls", "find", "grep"]);
const ONCE = "Allow once";
const SESSION = "Allow for this session";
const DENY = "Deny";

export default function (pi: any) {
  const config = process.env.A2UI_MCP_CONFIG;
  if (config) {
    const { mcpServers } = JSON.parse(readFileSync(config, "utf8"));
    for (const [name, server] of Object.entries(mcpServers)) pi.registerMcpServer(name, server);
  }
  if (process.env.A2UI_PERMISSIONS !== "ask") return;

  const trusted = (process.env.A2UI_TRUSTED_TOOLS ?? "").split(" ").filter(Boolean);
  const allowed = new Set<string>();
  pi.on("tool_call", async (event: any, ctx: any) => {
    const tool: string = event.toolName;
    if (READING.has(tool) || allowed.has(tool) || trusted.some((prefix) => tool.startsWith(prefix))) return;
    const input = event.input ?? {};
    const detail: string = input.command ?? input.path ?? JSON.stringify(input);
    const answer = await ctx.ui.select(`Allow ${tool}?\n${detail}`, [ONCE, SESSION, DENY]);
    if (answer === SESSION) allowed.add(tool);
    if (answer !== ONCE && answer !== SESSION) return { block: true, reason: "The person did not allow this." };
  });
}
