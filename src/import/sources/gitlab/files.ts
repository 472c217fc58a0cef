import { csvOf } from '../../csv.ts'
import { ImportProblem } from '../../problem.ts'
import type { Report, SourceFile } from '../../source.ts'
import { jsonOf, parseJson, textOf } from '../../text.ts'
import { isObject, type Json, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import {
  csvIssue,
  type GitlabAccount,
  type GitlabIssue,
  idOfUrl,
  issueId,
  restIssue,
  restNote,
  treeIssue,
} from './issue.ts'

export interface GitlabFiles {
  issues: GitlabIssue[]
  /** The labels of the lists of the first issue board, in order. */
  lists: { title: string; limit: unknown }[]
  labels: Json[]
  project: Json
  relations: { kind: 'blocks' | 'related'; first: string; second: string }[]
  uploads: Map<string, SourceFile>
}

/** Joins what was read from another file to its issues. */
type Join = (byId: ReadonlyMap<string, GitlabIssue>) => void

const TREE = /(?:^|\/)project\/(issues|boards|labels|project_members)\.ndjson$/

export async function filesOf(files: readonly SourceFile[], report: Report): Promise<GitlabFiles> {
  const content: GitlabFiles = {
    issues: [],
    lists: [],
    labels: [],
    project: {},
    relations: [],
    uploads: new Map(),
  }
  const joins: Join[] = []
  const members = await membersOf(files, report)
  for (const file of files) await readFile(file, content, members, joins, report)
  const byId = new Map(content.issues.map((issue) => [issueId(issue.project, issue.iid), issue]))
  for (const join of joins) join(byId)
  if (!content.issues.length && !content.project.id)
    throw new ImportProblem(
      'The file has no issues',
      'Export the issues as CSV, unpack the export of a project, or import the address',
      { file: files[0]?.path },
    )
  return content
}

async function readFile(
  file: SourceFile,
  content: GitlabFiles,
  members: ReadonlyMap<string, GitlabAccount>,
  joins: Join[],
  report: Report,
): Promise<void> {
  const { path } = file
  const [upload] = /(?<=(?:^|\/)uploads\/)[0-9a-f]{32}\/.+$/.exec(path) ?? []
  if (upload) content.uploads.set(upload, file)
  else if (/\.csv$/i.test(path)) await readCsv(file, content, report)
  else if (TREE.test(path)) await readTree(file, content, members, report)
  else if (/(^|\/)tree\/project\.json$/.test(path)) {
    const project = objectOf(await jsonOf(file))
    report.fields.add(project, 'tree.project')
    content.project = { description: project.description }
  } else if (/\.json$/i.test(path)) {
    const value = await jsonOf(file)
    if (isWholeProject(value)) readWhole(objectOf(value), content, report)
    else readRest(path, value, content, joins, report)
  }
}

/** Exports of GitLab before version 13 have the project in one file. */
const isWholeProject = (value: unknown) =>
  isObject(value) && Array.isArray(value.issues) && Array.isArray(value.project_members)

function readWhole(project: Json, content: GitlabFiles, report: Report): void {
  const { issues, labels, boards, project_members, ...settings } = project
  report.fields.add(settings, 'tree.project')
  for (const [name, list] of Object.entries({ issues, labels, boards, project_members }))
    report.fields.add(list, `tree.${name}`)
  const members = new Map<string, GitlabAccount>()
  for (const member of objectsOf(project_members)) addMember(member, members)
  content.project = { description: project.description }
  content.labels.push(...objectsOf(labels))
  content.lists.push(...listsOf(objectsOf(boards)))
  for (const issue of objectsOf(issues))
    content.issues.push(...known(treeIssue(issue, members), report))
}

async function linesOf(file: SourceFile): Promise<Json[]> {
  const lines = (await textOf(file)).split('\n')
  return objectsOf(
    lines.flatMap((line, at) => (line.trim() ? [parseJson(line, file.path, at + 1)] : [])),
  )
}

/** The names of the people of an exported project, which issues know only by numbers. */
async function membersOf(
  files: readonly SourceFile[],
  report: Report,
): Promise<Map<string, GitlabAccount>> {
  const members = new Map<string, GitlabAccount>()
  for (const file of files)
    if (/(^|\/)project\/project_members\.ndjson$/.test(file.path))
      for (const member of await linesOf(file)) {
        report.fields.add(member, 'tree.project_members[]')
        addMember(member, members)
      }
  return members
}

function addMember({ user, user_id }: Json, members: Map<string, GitlabAccount>): void {
  const { id: own, email, public_email, username } = objectOf(user)
  const id = stringOf(user_id) || stringOf(own)
  const address = stringOf(email) || stringOf(public_email)
  members.set(id, { id, name: stringOf(username), email: address })
}

async function readTree(
  file: SourceFile,
  content: GitlabFiles,
  members: ReadonlyMap<string, GitlabAccount>,
  report: Report,
): Promise<void> {
  const kind = TREE.exec(file.path)![1]
  if (kind === 'project_members') return
  const lines = await linesOf(file)
  report.fields.add(lines, `tree.${kind}`)
  if (kind === 'labels') content.labels.push(...lines)
  else if (kind === 'boards') content.lists.push(...listsOf(lines))
  else content.issues.push(...lines.flatMap((line) => known(treeIssue(line, members), report)))
}

/** An issue board of its first list to its last. Lists of people and milestones are not columns. */
function listsOf(boards: readonly Json[]): GitlabFiles['lists'] {
  const lists = objectsOf(boards[0]?.lists).filter(({ label }) => isObject(label))
  return lists
    .toSorted((one, other) => Number(one.position) - Number(other.position))
    .map(({ label, max_issue_count }) => ({
      title: stringOf(objectOf(label).name) || stringOf(objectOf(label).title),
      limit: max_issue_count,
    }))
}

function known(issue: GitlabIssue, report: Report): GitlabIssue[] {
  if (issue.iid && issue.title) return [issue]
  report.lose('An issue', 'It has no number or no title')
  return []
}

async function readCsv(file: SourceFile, content: GitlabFiles, report: Report): Promise<void> {
  const { header, rows } = await csvOf(file)
  for (const row of rows) {
    for (const name of new Set(header)) report.fields.add(row.get(name), name)
    content.issues.push(...known(csvIssue(row), report))
  }
}

function readRest(
  path: string,
  value: unknown,
  content: GitlabFiles,
  joins: Join[],
  report: Report,
): void {
  const { fields } = report
  const [, notesOf] = /(?:^|\/)notes\/(\d+)-\d+\.json$/.exec(path) ?? []
  const [, linksOf] = /(?:^|\/)links\/(\d+)-\d+\.json$/.exec(path) ?? []
  const list = objectsOf(value)
  if (notesOf) {
    fields.add(value, 'notes')
    joins.push((byId) => addNotes(byId, content, notesOf, list))
  } else if (linksOf) {
    fields.add(value, 'links')
    joins.push(() => addLinks(content, linksOf, list))
  } else if (/(^|\/)boards\.json$/.test(path)) {
    fields.add(value, 'boards')
    content.lists.push(...listsOf(list))
  } else if (/(^|\/)labels-\d+\.json$/.test(path)) {
    fields.add(value, 'labels')
    content.labels.push(...list)
  } else if (objectOf(value).path_with_namespace) {
    fields.add(value, 'project')
    content.project = objectOf(value)
  } else if (/(^|\/)hierarchy-\d+\.json$/.test(path)) {
    fields.add(value, 'hierarchy')
    joins.push((byId) => addHierarchy(byId, content, list))
  } else {
    const issues = list.length ? list : [objectOf(value)]
    fields.add(issues, 'issues')
    content.issues.push(...issues.flatMap((issue) => known(restIssue(issue), report)))
  }
}

const projectOf = ({ project, issues }: GitlabFiles) =>
  stringOf(project.path_with_namespace) || (issues[0]?.project ?? '')

function addNotes(
  byId: ReadonlyMap<string, GitlabIssue>,
  content: GitlabFiles,
  iid: string,
  notes: readonly Json[],
): void {
  const written = notes.filter(({ system }) => system !== true).map(restNote)
  byId.get(issueId(projectOf(content), iid))?.notes.push(...written)
}

function addLinks(content: GitlabFiles, iid: string, links: readonly Json[]): void {
  const from = issueId(projectOf(content), iid)
  for (const { link_type, web_url } of links)
    addRelation(content, from, stringOf(link_type), idOfUrl(stringOf(web_url)) ?? '')
}

function addRelation(content: GitlabFiles, from: string, type: string, to: string): void {
  if (!to) return
  const kind = type.toLowerCase()
  if (kind === 'blocks') content.relations.push({ kind, first: from, second: to })
  else if (kind === 'is_blocked_by' || kind === 'blocked_by')
    content.relations.push({ kind: 'blocks', first: to, second: from })
  else content.relations.push({ kind: 'related', first: from, second: to })
}

/** Parents and links of work items, which only GraphQL has. */
function addHierarchy(
  byId: ReadonlyMap<string, GitlabIssue>,
  content: GitlabFiles,
  items: readonly Json[],
): void {
  for (const { webUrl, widgets } of items) {
    const id = idOfUrl(stringOf(webUrl)) ?? ''
    const issue = byId.get(id)
    for (const { parent, linkedItems } of objectsOf(widgets)) {
      const above = idOfUrl(stringOf(objectOf(parent).webUrl))
      if (issue && above && byId.has(above)) issue.parent = above
      for (const { linkType, workItem } of objectsOf(objectOf(linkedItems).nodes))
        addRelation(
          content,
          id,
          stringOf(linkType),
          idOfUrl(stringOf(objectOf(workItem).webUrl)) ?? '',
        )
    }
  }
}
