import { ImportProblem } from '../../problem.ts'
import type { Report, SourceFile } from '../../source.ts'
import { jsonOf, parseJson, textOf } from '../../text.ts'
import { isObject, type Json, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import {
  type GithubIssue,
  ghIssue,
  idOfUrl,
  issueId,
  nodesOf,
  restComment,
  restIssue,
} from './issue.ts'
import { type GithubProject, listedItem, projectItem, projectOf } from './project.ts'

/** What the files hold, before comments and relations are joined to their issues. */
export interface GithubFiles {
  issues: GithubIssue[]
  project?: GithubProject
  repositories: Json[]
  /** Whether the issues are items of a project. */
  isProject: boolean
}

/** Joins what was read from another file to its issues. */
type Join = (byId: ReadonlyMap<string, GithubIssue>) => void

export async function filesOf(files: readonly SourceFile[], report: Report): Promise<GithubFiles> {
  const content: GithubFiles = { issues: [], repositories: [], isProject: false }
  const joins: Join[] = []
  for (const file of files) readDocument(file, await documentOf(file), content, joins, report)
  const byId = new Map(content.issues.map((issue) => [issueId(issue.repo, issue.number), issue]))
  for (const join of joins) join(byId)
  if (!content.issues.length && !content.repositories.length && !content.project)
    throw new ImportProblem(
      'The file has no issues',
      'Save them with `gh issue list --state all --limit 10000 --json …` or import the address',
      { file: files[0]?.path },
    )
  return content
}

async function documentOf(file: SourceFile): Promise<unknown> {
  if (!/\.(jsonl|ndjson)$/i.test(file.path)) return jsonOf(file)
  const lines = (await textOf(file)).split('\n')
  return lines.flatMap((line, at) => (line.trim() ? [parseJson(line, file.path, at + 1)] : []))
}

function readDocument(
  { path }: SourceFile,
  value: unknown,
  content: GithubFiles,
  joins: Join[],
  report: Report,
): void {
  const document = objectOf(value)
  const link = /(sub-issues|blocked-by)\/(.+)\/(\d+)-\d+\.json$/.exec(path)
  const { fields } = report
  if (link) {
    fields.add(value, link[1])
    const ids = objectsOf(value).map((issue) => idOfUrl(stringOf(issue.html_url)) ?? '')
    const kind = link[1] === 'sub-issues' ? 'children' : 'blockedBy'
    joins.push((byId) =>
      byId.get(issueId(link[2]!, Number(link[3])))?.[kind].push(...ids.filter(Boolean)),
    )
  } else if (isObject(document.project)) {
    fields.add(document.project, 'project')
    content.project = projectOf(document.project)
    content.isProject = true
  } else if (document.projectItems) {
    fields.add(document.projectItems, 'projectItems')
    addItems(content, nodesOf(document.projectItems).map(projectItem))
  } else if (document.full_name && document.node_id) {
    fields.add(document, 'repository')
    content.repositories.push(document)
  } else readList(path, document, listOf(value), content, joins, report)
}

/** Pages that were saved as a list of lists are joined, and a search result is unpacked. */
function listOf(value: unknown): Json[] {
  if (Array.isArray(value)) return objectsOf(value.flat())
  const { items, issues, nodes } = objectOf(value)
  const list = [items, issues, nodes].find(Array.isArray)
  return list ? objectsOf(list) : [objectOf(value)]
}

function readList(
  path: string,
  document: Json,
  list: readonly Json[],
  content: GithubFiles,
  joins: Join[],
  report: Report,
): void {
  const { fields } = report
  const isListed = Array.isArray(document.items) && list.some((item) => isObject(item.content))
  if (isListed) {
    fields.add(list, 'items')
    addItems(content, list.map(listedItem))
    return
  }
  const comments = list.filter(({ issue_url, body }) => issue_url && typeof body === 'string')
  fields.add(comments, 'comments')
  if (comments.length) joins.push((byId) => addComments(byId, comments, report))
  for (const issue of list) {
    if (issue.issue_url) continue
    if (!issue.number || !issue.title) report.lose('An entry of a file', `${path}: not an issue`)
    else if (issue.pull_request) continue
    else {
      const isRest = 'html_url' in issue || 'created_at' in issue || 'repository_url' in issue
      fields.add(issue, isRest ? 'issues[]' : 'list[]')
      content.issues.push(isRest ? restIssue(issue) : ghIssue(issue))
    }
  }
}

function addItems(content: GithubFiles, items: readonly (GithubIssue | undefined)[]): void {
  content.isProject = true
  content.issues.push(...items.filter((item) => item !== undefined))
}

function addComments(
  byId: ReadonlyMap<string, GithubIssue>,
  comments: readonly Json[],
  report: Report,
): void {
  const known = new Set([...byId.values()].flatMap((issue) => issue.comments.map(({ id }) => id)))
  for (const comment of comments) {
    if (known.has(stringOf(comment.id))) continue
    const issue = byId.get(idOfUrl(stringOf(comment.issue_url)) ?? '')
    if (issue) issue.comments.push(restComment(comment))
    else if (!/\/pull\//.test(stringOf(comment.html_url)))
      report.lose('A comment', 'Its issue is not in the files')
  }
}
