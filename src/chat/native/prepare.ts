import { eq } from 'drizzle-orm'
import { agents } from '../../features/agents/agents/model/index.ts'
import { lastLines, type Run } from '../../features/agents/runs/model/index.ts'
import { actorsOf } from '../../features/identity/people/model/index.ts'
import type { TaskContext } from '../../features/tasks/context/model/index.ts'
import type { Caller } from '../../kernel/caller.ts'
import { briefingOf, systemPromptFor } from './briefing.ts'
import type { AgentRuntime } from './runtime.ts'
import { skillsFor } from './skills.ts'

export const INTERRUPTED = 'The server stopped during this run. The run continues here.'
/** A run that stops the server each time is not continued. */
const MAX_INTERRUPTIONS = 3
const GIVEN_UP = `The server stopped ${MAX_INTERRUPTIONS} times during this run, so it is not continued. Start another run when the server is stable.`
/** The number of transcript entries that the model reads when a run continues. */
const MAX_ENTRIES = 60

interface PrepareInput {
  run: Run
  interrupted: boolean
  caller: Caller
  context: TaskContext
  /** Why the agent does not hold the task. */
  unclaimed: string | undefined
}

export interface PreparedRun {
  system: string
  briefing: string
  /** The number of the last transcript entry that the briefing includes. */
  lastEntry: number
}

/** Everything that the model reads at first; a string if the run ends here, saying why. */
export async function prepare(
  runtime: AgentRuntime,
  input: PrepareInput,
): Promise<PreparedRun | string> {
  const { run, interrupted, caller, context, unclaimed } = input
  const {
    ended: transcript,
    instructions,
    by: askedBy,
  } = await runtime.store.read(async (tx) => ({
    ended: await lastLines(tx, run, MAX_ENTRIES),
    instructions: await instructionsOf(tx, run.actor_id),
    by: (await actorsOf(tx, [run.prompted_by ?? run.created_by])).values().next().value!.name,
  }))
  const interruptions = transcript.filter(({ text }) => text === INTERRUPTED).length
  if (interrupted && interruptions >= MAX_INTERRUPTIONS) return GIVEN_UP
  const { project_id } = context.board
  const skills = await skillsFor(runtime, caller, project_id, run.prompt ?? '')
  const { board } = context
  const now = runtime.clock()
  return {
    system: systemPromptFor({
      caller,
      instructions,
      board,
      now,
      skills: skills.all,
      work: { unclaimed },
    }),
    briefing: briefingOf({
      context,
      origin: run.origin,
      by: askedBy,
      prompt: run.prompt,
      comment_id: run.comment_id,
      skills: skills.named,
      before: run.started_at ? transcript : [],
    }),
    lastEntry: transcript.at(-1)?.number ?? 0,
  }
}

type ReadTx = Parameters<Parameters<AgentRuntime['store']['read']>[0]>[0]

export async function instructionsOf(tx: ReadTx, actor_id: number): Promise<string | null> {
  const [agent] = await tx.select().from(agents).where(eq(agents.actor_id, actor_id))
  return agent?.instructions ?? null
}
