import { Type as t } from '@sinclair/typebox'
import type { Context } from '../../../../kernel/caller.ts'
import { operation } from '../../../../kernel/operation.ts'
import { enabledSkills } from '../../../agents/skills/model/index.ts'
import { guidanceOf, type Project } from '../../../boards/projects/model/index.ts'
import { type Actor, actorsOf, asActor } from '../../../identity/people/model/index.ts'
import { aboutOf } from '../model/records.ts'
import { ThreadId } from '../model/schema.ts'
import { findThread, messagesOf, type Row, type Thread } from '../model/store.ts'

/** What the system prompt is built from; without the board if the person can no longer see it. */
export interface ThreadBrief {
  thread: Thread
  messages: Row[]
  /** The authors in the thread. */
  writers: Map<number, Actor>
  now: Date
  project?: Pick<Project, 'project_id' | 'key' | 'title'> & ReturnType<typeof guidanceOf>
  task?: { ticket_number: string; title: string }
  skills: { slug: string; description: string; argument_hint: string | null }[]
}

/** On no surface: the chat routes use it. */
export const readBrief = operation({
  name: 'chat.brief',
  summary: 'The context a model gets before it answers in a thread',
  needs: 'tasks:read',
  dependsOn: [],
  on: {},
  input: t.Object({ thread_id: ThreadId }),
  output: t.Unsafe<ThreadBrief>(t.Object({})),
  async run({ thread_id }, ctx): Promise<ThreadBrief> {
    const thread = await findThread(ctx, thread_id)
    const { project, task } = (await aboutOf(ctx, [thread]))(thread)
    const messages = await messagesOf(ctx.tx, thread)
    return {
      thread,
      messages,
      now: ctx.now,
      writers: await writersOf(ctx, messages),
      ...(project && { project: { ...projectKeys(project), ...guidanceOf(ctx, project) } }),
      ...(task && { task: { ticket_number: task.ticket_number, title: task.title } }),
      skills: await skillsFor(ctx, project),
    }
  },
})

const projectKeys = ({ project_id, key, title }: Project) => ({ project_id, key, title })

async function writersOf({ tx }: Context, messages: readonly Row[]): Promise<Map<number, Actor>> {
  const ids = messages.flatMap(({ actor_id }) => actor_id ?? [])
  const rows = await actorsOf(tx, ids)
  return new Map(ids.map((actor_id) => [actor_id, asActor(rows.get(actor_id)!)]))
}

const skillsFor = async (ctx: Context, project: Project | undefined) =>
  (await enabledSkills(ctx, project?.project_id)).map(({ slug, description, argument_hint }) => ({
    slug,
    description,
    argument_hint,
  }))
