/** The first rules for agents, on every board. */
export const AGENTS = `- Claim a task before you work on it, and let it go when you stop.
- Ask with a decision request instead of guessing, and go on with another task meanwhile.
- Write a comment when something turns out otherwise than the task says.`

/** For personal boards: the agent helps, but completes nothing. */
export const ADVICE = `- Suggest in comments; change a date or a column only when you are asked to.
- Never complete a task: that is for the person whose week it is.`
