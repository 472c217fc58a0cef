import { enabledSkills, skillsNamedIn } from '../../features/skills/index.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Desk } from './desk.ts'

export interface Known {
  /** Those that can be called on the board, without their texts. */
  all: readonly { slug: string; description: string }[]
  /** Those that the text names, whole. */
  named: readonly { slug: string; name: string; body: string }[]
}

/** Of one text; each costs tokens with every step. */
const MOST_NAMED = 3

/** The skills that an agent may follow there. */
export const skillsFor = (
  { store }: Desk,
  caller: Caller,
  project_id: number,
  text: string,
): Promise<Known> =>
  store.read(async (tx) => ({
    all: await enabledSkills({ tx, caller }, project_id),
    named: (await skillsNamedIn({ tx, caller }, project_id, text)).slice(0, MOST_NAMED),
  }))
