// An extension for pi: before a tool acts, ask the person. pi itself has no permissions.
// Reading needs no question, and neither do the tools named in A2UI_TRUSTED_TOOLS (prefixes, separated by spaces).
const READING = new Set(["read", "ls", "find", "grep"]);
const ONCE = "Allow once";
const SESSION = "Allow for this session";
const DENY = "Deny";

export default function (pi: any) {
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
