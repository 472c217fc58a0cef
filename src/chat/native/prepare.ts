import { eq } from 'drizzle-orm'
import { agents } from '../../features/agents/index.ts'
import type { Whole as Context } from '../../features/context/index.ts'
import { actorsOf } from '../../features/people/index.ts'
import { endOf, type Run } from '../../features/runs/index.ts'
import type { Caller } from '../../kernel/caller.ts'
import { briefingOf, systemOf } from './briefing.ts'
import type { Desk } from './desk.ts'
import { skillsFor } from './known.ts'

export const INTERRUPTED = 'The server went away in the middle. Going on from here.'
/** What brings a server down each time is not tried for ever. */
const MOST_INTERRUPTIONS = 3
const GIVEN_UP = `Interrupted ${MOST_INTERRUPTIONS} times, so it is not tried again. Begin another run when the server is well.`
/** Of its transcript, what is told when a run goes on. */
const MOST_BEFORE = 60

interface Beginning {
  run: Run
  interrupted: boolean
  caller: Caller
  context: Context
  /** Why it does not hold its task. */
  unclaimed: string | undefined
}

export interface Begun {
  system: string
  briefing: string
  /** The last entry of the transcript that it tells of. */
  seen: number
}

/** All that the model is told at first; or why the run ends here. */
export async function prepare(desk: Desk, beginning: Beginning): Promise<Begun | string> {
  const { run, interrupted, caller, context, unclaimed } = beginning
  const { ended, instructions, by } = await desk.store.read(async (tx) => ({
    ended: await endOf(tx, run, MOST_BEFORE),
    instructions: await instructionsOf(tx, run.actor_id),
    by: (await actorsOf(tx, [run.prompted_by ?? run.created_by])).values().next().value!.name,
  }))
  const before = ended.filter(({ text }) => text === INTERRUPTED).length
  if (interrupted && before >= MOST_INTERRUPTIONS) return GIVEN_UP
  const { project_id } = context.board
  const skills = await skillsFor(desk, caller, project_id, run.prompt ?? '')
  const { board } = context
  const now = desk.clock()
  return {
    system: systemOf({
      ...{ caller, instructions, board, now },
      ...{ skills: skills.all, work: { unclaimed } },
    }),
    briefing: briefingOf({
      ...{ context, origin: run.origin, by, prompt: run.prompt, comment_id: run.comment_id },
      ...{ skills: skills.named, before: run.started_at ? ended : [] },
    }),
    seen: ended.at(-1)?.number ?? 0,
  }
}

type Reading = Parameters<Parameters<Desk['store']['read']>[0]>[0]

export async function instructionsOf(tx: Reading, actor_id: number): Promise<string | null> {
  const [agent] = await tx.select().from(agents).where(eq(agents.actor_id, actor_id))
  return agent?.instructions ?? null
}
