import { type Static, Type as t } from '@sinclair/typebox'
import { and, eq, inArray, ne, or } from 'drizzle-orm'
import type { Context, PrepareContext } from '../../../../kernel/caller.ts'
import { fault } from '../../../../kernel/fault.ts'
import { operation } from '../../../../kernel/operation.ts'
import { ProjectId } from '../../../boards/projects/model/index.ts'
import { pullRequests } from '../../../tasks/pull_requests/model/index.ts'
import { TaskId, tasks } from '../../../tasks/tasks/model/index.ts'
import { askHost, type CodeHost, clientOf, hostById } from '../../hosts/model/index.ts'
import { mergedIn, notesInMarkdown, previousTag, pullRequestUrl } from '../model/release.ts'
import { RepositoryId } from '../model/schema.ts'
import { findRepository, type Repository } from '../model/store.ts'

const Tag = (description: string) => t.String({ minLength: 1, maxLength: 200, description })

const Input = t.Object({
  project_id: ProjectId,
  repository_id: RepositoryId,
  tag: t.Optional(Tag('Tag of the release; default: the newest')),
  base: t.Optional(Tag('Tag, branch or commit to start after; default: the tag before it')),
})
type Input = Static<typeof Input>

const PullRequest = t.Object({
  url: t.String(),
  title: t.String(),
  tickets: t.Array(t.String(), { description: 'Tasks of the board that it is linked to' }),
})

const ReleaseNotes = t.Object({
  repository_id: RepositoryId,
  tag: t.String(),
  base: t.String(),
  pull_requests: t.Array(PullRequest),
  tasks: t.Array(
    t.Object({
      task_id: TaskId,
      ticket_number: t.String(),
      title: t.String(),
      url: t.String(),
    }),
  ),
  markdown: t.String(),
})

export const releaseNotes = operation({
  name: 'repositories.release_notes',
  summary: 'Pull requests and tasks of a release: merged since the previous tag',
  needs: 'projects:read',
  dependsOn: ['repository', 'task', 'pull_request'],
  uncached: true,
  on: {
    rest: 'GET /api/v1/projects/:project_id/repositories/:repository_id/release-notes',
    cli: {
      usage: 'repositories notes <project_id> <repository_id>',
      example: 'HOM 1 --tag v1.2.0',
    },
  },
  input: Input,
  output: ReleaseNotes,
  prepare: (input, context) => readRelease(input, context),
  async run({ project_id, repository_id }, ctx, release) {
    const repository = await findRepository(ctx, project_id, repository_id)
    const { tag, base, host, commits } = release!
    const merged = mergedOf(commits, host, repository)
    const linked = await linkedTasks(ctx, repository, commits, [...merged.keys()])
    for (const { pull } of linked) merged.set(pull.url, pull.title ?? merged.get(pull.url) ?? '')
    const ticketsOf = (url: string) =>
      linked.filter(({ pull }) => pull.url === url).map(({ task }) => task.ticket_number)
    const pulls = [...merged].map(([url, title]) => ({ url, title, tickets: ticketsOf(url) }))
    const found = new Map(linked.map(({ task }) => [task.task_id, task]))
    const rows = [...found.values()].map((task) => ({
      ...task,
      url: `${ctx.server.url}/t/${task.ticket_number}`,
    }))
    const notes = { tag, pull_requests: pulls, tasks: rows }
    return { repository_id, base, ...notes, markdown: notesInMarkdown(notes) }
  },
})

interface Commit {
  sha: string
  message: string
}

interface Release {
  tag: string
  base: string
  host: CodeHost
  commits: Commit[]
}

/** Asks the host before the transaction. */
async function readRelease(
  { project_id, repository_id, tag: name, base: start }: Input,
  { server, read, caller }: PrepareContext,
): Promise<Release> {
  const { repository, host } = await read(async (tx) => {
    const ctx = { tx, caller, needs: 'projects:read' } as const
    const row = await findRepository(ctx, project_id, repository_id)
    return { repository: row, host: (await hostById(tx, row.host_id))! }
  })
  return askHost('tag', async () => {
    const client = await clientOf(server, host, repository.name)
    const tags = await client.tags(repository.name)
    const tag = name ?? tags[0]
    if (tag === undefined || !tags.includes(tag)) throw unknownTag(repository, tag)
    const base = start ?? previousTag(tags, tag)
    if (base === undefined) throw isFirst(tag)
    return { tag, base, host, commits: await client.commitsBetween(repository.name, base, tag) }
  })
}

const unknownTag = ({ name }: Repository, tag: string | undefined) =>
  fault.notFound(
    'tag',
    tag === undefined ? `${name} has no tags` : `${name} has no tag ${tag}`,
    tag,
    'Use a tag of the repository, such as v1.2.0',
  )

const isFirst = (tag: string) =>
  fault.invalid(
    'base',
    'required',
    `There is no tag before ${tag}`,
    undefined,
    'Set base to the branch or commit to start after',
  )

/** Titles of pull requests that the commits merged, by address. */
function mergedOf(commits: readonly Commit[], { kind }: CodeHost, { url }: Repository) {
  const merged = new Map<string, string>()
  for (const { message } of commits) {
    const pull = mergedIn(message)
    if (pull) merged.set(pullRequestUrl(kind, url, pull.number), pull.title.slice(0, 500))
  }
  return merged
}

const MAX_COMMITS = 1000

/** Pull requests with a commit of the release, or with one of the addresses, and their tasks. */
async function linkedTasks(
  { tx }: Context,
  { team_id, project_id }: Repository,
  commits: readonly Commit[],
  urls: string[],
) {
  const shas = commits.slice(0, MAX_COMMITS).map(({ sha }) => sha.toLowerCase())
  const conditions = [
    ...(shas.length ? [inArray(pullRequests.head_sha, shas)] : []),
    ...(urls.length ? [inArray(pullRequests.url, urls.slice(0, MAX_COMMITS))] : []),
  ]
  if (!conditions.length) return []
  const { task_id, ticket_number, title } = tasks
  return tx
    .select({
      pull: { url: pullRequests.url, title: pullRequests.title },
      task: { task_id, ticket_number, title },
    })
    .from(pullRequests)
    .innerJoin(tasks, eq(tasks.task_id, pullRequests.task_id))
    .where(
      and(
        eq(pullRequests.team_id, team_id),
        eq(pullRequests.state, 'merged'),
        eq(tasks.project_id, project_id),
        ne(tasks.status, 'Deleted'),
        or(...conditions),
      ),
    )
    .orderBy(task_id)
}
