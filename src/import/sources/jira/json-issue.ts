import {
  hoursOf,
  type Issue,
  type IssueComment,
  type IssueFile,
  type IssueLink,
  type JiraData,
  linkKind,
  projectKeyOf,
  type Worklog,
} from './issue.ts'
import type { FieldInfo } from './json.ts'
import {
  isRecord,
  type Json,
  listOf,
  momentOf,
  nameOf,
  namesOf,
  numberOf,
  personIn,
  richTextOf,
  textOf,
  wordsOf,
} from './json-values.ts'
import { categoryOf } from './statuses.ts'
import { addSystemValues } from './system-values.ts'

type Fields = ReadonlyMap<string, FieldInfo>

export function readIssue(json: Json, infos: Fields, data: JiraData): Issue | undefined {
  const { fields } = json
  const key = textOf(json.key)
  if (!isRecord(fields) || !/-\d+$/.test(key)) return undefined
  const { people } = data
  const status = isRecord(fields.status) ? fields.status : {}
  const category = isRecord(status.statusCategory) ? status.statusCategory : {}
  const parent = isRecord(fields.parent) ? fields.parent : {}
  const issue: Issue = {
    key,
    id: textOf(json.id),
    project: projectOf(fields, key, data),
    summary: textOf(fields.summary),
    status: textOf(status.name) || 'To Do',
    category: categoryOf(textOf(category.key)),
    description: richTextOf(fields.description),
    environment: richTextOf(fields.environment),
    sections: [],
    priority: nameOf(fields.priority),
    resolution: nameOf(fields.resolution),
    labels: [
      ...(Array.isArray(fields.labels) ? fields.labels.map(textOf) : []),
      ...namesOf(fields.components),
    ],
    assignee: personIn(fields.assignee, people),
    creator: personIn(fields.reporter, people) ?? personIn(fields.creator, people),
    created: momentOf(fields.created),
    updated: momentOf(fields.updated),
    resolved: momentOf(fields.resolutiondate) ?? momentOf(fields.statuscategorychangedate),
    due: dayOf(fields.duedate),
    parent: textOf(parent.key),
    parentTitle: isRecord(parent.fields) ? textOf(parent.fields.summary) : '',
    values: [],
    links: listOf(fields.issuelinks).flatMap(linkOf),
    comments: partsOf(fields.comment, 'comments').map((comment) => commentOf(comment, data)),
    worklogs: partsOf(fields.worklog, 'worklogs').flatMap((log) => worklogOf(log, data)),
    files: listOf(fields.attachment).flatMap((file) => fileOf(file, data)),
  }
  addValues(issue, fields, infos)
  return issue
}

const partsOf = (value: unknown, list: string) => (isRecord(value) ? listOf(value[list]) : [])

const dayOf = (value: unknown) => /^\d{4}-\d\d-\d\d/.exec(textOf(value))?.[0]

function projectOf(fields: Json, issueKey: string, { people }: JiraData) {
  const project = isRecord(fields.project) ? fields.project : {}
  const key = textOf(project.key) || projectKeyOf(issueKey)
  const lead = personIn(project.lead, people)
  return {
    key,
    name: textOf(project.name) || key,
    description: textOf(project.description),
    lead: lead && people.get(lead)?.name,
  }
}

function linkOf({ type, inwardIssue, outwardIssue }: Json): IssueLink[] {
  const kinds = isRecord(type) ? type : {}
  const name = textOf(kinds.name)
  return [
    { phrase: textOf(kinds.inward), kind: linkKind(name, true), key: keyOf(inwardIssue) },
    { phrase: textOf(kinds.outward), kind: linkKind(name, false), key: keyOf(outwardIssue) },
  ].filter(({ key }) => key)
}

const keyOf = (value: unknown) => (isRecord(value) ? textOf(value.key) : '')

function commentOf(comment: Json, { people }: JiraData): IssueComment {
  return {
    id: textOf(comment.id) || undefined,
    author: personIn(comment.author, people),
    text: richTextOf(comment.body) ?? { wiki: '' },
    created: momentOf(comment.created),
    edited: momentOf(comment.updated),
    replyTo: textOf(comment.parentId) || undefined,
  }
}

function worklogOf(log: Json, { people }: JiraData): Worklog[] {
  const day = dayOf(log.started) ?? dayOf(log.created)
  if (!day) return []
  return [
    {
      id: textOf(log.id) || undefined,
      author: personIn(log.author, people),
      day,
      seconds: numberOf(log.timeSpentSeconds),
      note: richTextOf(log.comment),
    },
  ]
}

function fileOf(file: Json, { people }: JiraData): IssueFile[] {
  const name = textOf(file.filename)
  const url = textOf(file.content)
  if (!name || !url) return []
  return [
    {
      id: textOf(file.id) || undefined,
      author: personIn(file.author, people),
      name,
      url,
      type: textOf(file.mimeType) || undefined,
      created: momentOf(file.created),
    },
  ]
}

/** Custom fields that only serve the views of Jira, by their kinds. */
const TECHNICAL = /devsummary|jsw-issue-color|gh-epic-color|vulnerabilitycf|gh-global-rank/

function addValues(issue: Issue, fields: Json, infos: Fields): void {
  const custom = Object.entries(fields).flatMap(([id, value]) => {
    const info = infos.get(id) ?? { name: id, kind: '', type: '' }
    return id.startsWith('customfield_') && !TECHNICAL.test(info.kind) ? [{ info, value }] : []
  })
  const sprints = custom.find(({ info }) => info.kind.endsWith(':gh-sprint'))?.value
  const votes = isRecord(fields.votes) ? numberOf(fields.votes.votes) : 0
  addSystemValues(issue, {
    type: nameOf(fields.issuetype),
    fixVersions: namesOf(fields.fixVersions),
    affectsVersions: namesOf(fields.versions),
    sprints: (Array.isArray(sprints) ? sprints : []).map(wordsOf).filter(Boolean),
    security: nameOf(fields.security),
    votes,
    estimate: hoursOf(numberOf(fields.timeoriginalestimate)),
    remaining: hoursOf(numberOf(fields.timeestimate)),
    spent: hoursOf(numberOf(fields.timespent)),
  })
  for (const { info, value } of custom) addCustom(issue, info, value)
}

function addCustom(issue: Issue, { name, kind, type }: FieldInfo, value: unknown): void {
  if (kind.endsWith(':gh-sprint')) return
  if (kind.endsWith(':gh-lexo-rank')) issue.rank = textOf(value)
  else if (kind.endsWith(':gh-epic-link')) issue.parent ||= textOf(value)
  else if (/^start date$/i.test(name) && dayOf(value)) issue.start = dayOf(value)
  else if (isRecord(value) && value.type === 'doc')
    issue.sections.push({ title: name, text: { document: value } })
  else if (typeof value === 'number') issue.values.push({ name, value, type: 'number' })
  else if (type === 'datetime' && momentOf(value))
    issue.values.push({ name, value: momentOf(value)!, type: 'text' })
  else {
    const text = wordsOf(value)
    const isTitle = kind.endsWith(':gh-epic-label') && text === issue.summary
    if (text && text !== '{}' && !isTitle)
      issue.values.push({
        name,
        value: text,
        ...(type === 'option' && { type: 'select' as const }),
      })
  }
}
