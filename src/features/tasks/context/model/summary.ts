import { truncate } from '../../../../content/index.ts'
import { snippetOf } from '../../../../content/words.ts'
import type { Context } from '../../../../kernel/caller.ts'
import { readWords, withoutStopWords } from '../../../../search/words/terms.ts'
import { enabledSkills } from '../../../agents/skills/model/index.ts'
import { guidanceOf } from '../../../boards/projects/model/index.ts'
import { recentComments } from '../../../conversation/comments/model/index.ts'
import { pendingDecisions } from '../../../conversation/decision_requests/model/index.ts'
import { recentEvidence } from '../../../conversation/evidence/model/index.ts'
import { attachmentsOf } from '../../files/model/index.ts'
import { type TaskRecord, toTaskRecord } from '../../records/model/index.ts'
import { relatedTasks } from '../../relations/model/index.ts'
import type { Located, Task } from '../../tasks/model/index.ts'
import { boardOf, countsOf, parentOf } from './gather.ts'
import type { Counts, TaskSummary } from './schema.ts'

/** How many characters or rows of each part an agent needs to start. */
const MOST = {
  description: 750,
  read: 2000,
  comments: 3,
  comment: 160,
  rows: 5,
  rules: 300,
  line: 100,
  skills: 3,
  /** How many words of a task or a skill are compared. */
  words: 300,
} as const

/** What is needed to start on a task, and in `cut` what was left out and how to read it. */
export async function gatherSummary(
  ctx: Context,
  located: Located,
): Promise<Omit<TaskSummary, 'imported_from'>> {
  const { task, project } = located
  const record = await toTaskRecord(ctx, task)
  const pending = await pendingDecisions(ctx.tx, task)
  const counts = await countsOf(ctx, task, record, pending.length)
  const text = snippetOf(task.description ?? '', task.content_type, MOST.read)
  return {
    ...shortRecord(record),
    parent: (await parentOf(ctx, task))?.ticket_number ?? null,
    description: truncate(text, MOST.description),
    blocked_by: counts.relations ? await openBlockers(ctx, task) : [],
    questions: pending.slice(0, MOST.rows).map(({ decision_request_id, question, options }) => ({
      decision_request_id,
      question: truncate(question, MOST.rules),
      options,
    })),
    comments: counts.comments ? await lastComments(ctx, task) : [],
    files: counts.attachments ? await firstFiles(ctx, task) : [],
    checks: (await recentEvidence(ctx, task, MOST.comments)).map(
      ({ kind, summary }) => `${kind}: ${truncate(summary, MOST.line)}`,
    ),
    ...shortGuidance(ctx, located),
    skills: await relevantSkills(ctx, located, record, text),
    board: boardOf(project),
    cut: cutOf(counts, text.length > MOST.description ? task.description!.length : 0),
  }
}

function shortRecord({ title, labels, assignees, ...record }: TaskRecord) {
  const { ticket_number, section, done, overdue, blocked, status } = record
  const { priority_name, size, due_date, pr_badge, url } = record
  const names = (all: readonly { name: string }[]) =>
    all.slice(0, MOST.rows).map(({ name }) => name)
  return {
    ...{ ticket_number, section, done, overdue, blocked, status },
    ...{ priority_name, size, due_date, pr_badge, url },
    title: truncate(title, 2 * MOST.line),
    labels: names(labels),
    assignees: names(assignees),
  }
}

async function openBlockers(ctx: Context, task: Task): Promise<TaskSummary['blocked_by']> {
  const links = await relatedTasks(ctx, task, 'BlockedBy')
  return links
    .filter(({ done, status }) => !done && status === 'Normal')
    .slice(0, MOST.rows)
    .map(({ ticket_number, title }) => ({ ticket_number, title: truncate(title, MOST.line) }))
}

const lastComments = async (ctx: Context, task: Task) =>
  (await recentComments(ctx, task, MOST.comments)).map(
    ({ author, created_at, text, content_type }) => ({
      author: author.name,
      created_at,
      text: snippetOf(text, content_type, MOST.comment),
    }),
  )

const firstFiles = async (ctx: Context, task: Task) =>
  (await attachmentsOf(ctx, task)).slice(0, MOST.rows).map(({ filename }) => filename)

function shortGuidance(ctx: Context, { project }: Located) {
  const { playbook, custom_instruction } = guidanceOf(ctx, project)
  const shorten = (text: string | null | undefined, most: number) =>
    text ? snippetOf(text, 'markdown', most) : null
  return {
    working_rules: shorten(playbook?.working_rules, MOST.rules),
    definition_of_done: (playbook?.definition_of_done ?? [])
      .slice(0, MOST.rows)
      .map((line) => line.slice(0, MOST.line)),
    custom_instruction: shorten(custom_instruction, MOST.rules),
  }
}

/** Ranks skills by how many words of the task occur in their names and descriptions. */
async function relevantSkills(
  ctx: Context,
  { project }: Located,
  { title, labels }: TaskRecord,
  text: string,
) {
  const stemsOf = (text: string) =>
    new Set(withoutStopWords(readWords(text, MOST.words)).map(({ stem }) => stem))
  const ofTask = stemsOf([title, ...labels.map(({ name }) => name), text].join(' '))
  return (await enabledSkills(ctx, project.project_id))
    .map((skill) => {
      const ofSkill = [...stemsOf(`${skill.name} ${skill.description}`)]
      return { skill, shared: ofSkill.filter((stem) => ofTask.has(stem)).length }
    })
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MOST.skills)
    .map(({ skill: { skill_id, slug, description } }) => ({
      skill_id,
      slug,
      description: truncate(description, MOST.line),
    }))
}

/**
 * One line for each part that is not shown whole, with the call that returns it. `characters` is the
 * length of a shortened description.
 */
function cutOf(counts: Counts, characters: number): string[] {
  const lines: (string | false)[] = [
    characters > 0 && `description: ${characters} characters, svc_tasks get`,
    counts.comments > MOST.comments && `comments: ${counts.comments}, svc_comments list`,
    counts.attachments > MOST.rows && `files: ${counts.attachments}, svc_attachments list`,
    counts.subtasks > 0 && `subtasks: ${counts.subtasks}, svc_tasks tree`,
    counts.relations > 0 && `relations: ${counts.relations}, svc_tasks links`,
    counts.pages > 0 && `pages: ${counts.pages}, svc_pages list`,
    'activity and whole playbook: svc_tasks context',
  ]
  return lines.filter((line) => line !== false)
}
