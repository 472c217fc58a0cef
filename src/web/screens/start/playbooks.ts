/** The first rules for agents, on every board. */
export const AGENTS = `- Claim a task before you work on it, and release it when you stop.
- Do not guess: create a decision request, and work on another task in the meantime.
- Add a comment when something differs from what the task says.`

/** For personal boards: the agent helps, but completes nothing. */
export const ADVICE = `- Make suggestions in comments. Change a date or a column only when asked.
- Never complete a task: only the person whose week it is does that.`
