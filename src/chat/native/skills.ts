import { enabledSkills, skillsNamedIn } from '../../features/agents/skills/model/index.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { AgentRuntime } from './runtime.ts'

export interface AgentSkills {
  /** The enabled skills of the board, without their bodies. */
  all: readonly { slug: string; description: string }[]
  /** The skills that the text names, with their bodies. */
  named: readonly { slug: string; name: string; body: string }[]
}

/** The limit for one text: each skill costs tokens at every step. */
const MAX_NAMED = 3

/** The skills that an agent may use on a board. */
export const skillsFor = (
  { store }: AgentRuntime,
  caller: Caller,
  project_id: number,
  text: string,
): Promise<AgentSkills> =>
  store.read(async (tx) => ({
    all: await enabledSkills({ tx, caller }, project_id),
    named: (await skillsNamedIn({ tx, caller }, project_id, text)).slice(0, MAX_NAMED),
  }))
