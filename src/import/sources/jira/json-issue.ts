import { isObject, type Json, numberOf, objectOf, objectsOf, stringOf } from '../shared/json.ts'
import { momentOf } from '../shared/times.ts'
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
import { type FieldInfo, nameOf, namesOf, personIn, richTextOf, wordsOf } from './json-values.ts'
import { categoryOf } from './statuses.ts'
import { addSystemValues } from './system-values.ts'

type Fields = ReadonlyMap<string, FieldInfo>

export function readIssue(json: Json, infos: Fields, data: JiraData): Issue | undefined {
  const { fields } = json
  const key = stringOf(json.key)
  if (!isObject(fields) || !/-\d+$/.test(key)) return undefined
  const { people } = data
  const status = objectOf(fields.status)
  const category = objectOf(status.statusCategory)
  const parent = objectOf(fields.parent)
  const issue: Issue = {
    key,
    id: stringOf(json.id),
    project: projectOf(fields, key, data),
    summary: stringOf(fields.summary),
    status: stringOf(status.name) || 'To Do',
    category: categoryOf(stringOf(category.key)),
    description: richTextOf(fields.description),
    environment: richTextOf(fields.environment),
    sections: [],
    priority: nameOf(fields.priority),
    resolution: nameOf(fields.resolution),
    labels: [
      ...(Array.isArray(fields.labels) ? fields.labels.map(stringOf) : []),
      ...namesOf(fields.components),
    ],
    assignee: personIn(fields.assignee, people),
    creator: personIn(fields.reporter, people) ?? personIn(fields.creator, people),
    created: momentOf(fields.created),
    updated: momentOf(fields.updated),
    resolved: momentOf(fields.resolutiondate) ?? momentOf(fields.statuscategorychangedate),
    due: dayOf(fields.duedate),
    parent: stringOf(parent.key),
    parentTitle: isObject(parent.fields) ? stringOf(parent.fields.summary) : '',
    values: [],
    links: objectsOf(fields.issuelinks).flatMap(linkOf),
    comments: partsOf(fields.comment, 'comments').map((comment) => commentOf(comment, data)),
    worklogs: partsOf(fields.worklog, 'worklogs').flatMap((log) => worklogOf(log, data)),
    files: objectsOf(fields.attachment).flatMap((file) => fileOf(file, data)),
  }
  addValues(issue, fields, infos)
  return issue
}

const partsOf = (value: unknown, list: string) => (isObject(value) ? objectsOf(value[list]) : [])

const dayOf = (value: unknown) => /^\d{4}-\d\d-\d\d/.exec(stringOf(value))?.[0]

function projectOf(fields: Json, issueKey: string, { people }: JiraData) {
  const project = objectOf(fields.project)
  const key = stringOf(project.key) || projectKeyOf(issueKey)
  const lead = personIn(project.lead, people)
  return {
    key,
    name: stringOf(project.name) || key,
    description: stringOf(project.description),
    lead: lead && people.get(lead)?.name,
  }
}

function linkOf({ type, inwardIssue, outwardIssue }: Json): IssueLink[] {
  const kinds = objectOf(type)
  const name = stringOf(kinds.name)
  return [
    { phrase: stringOf(kinds.inward), kind: linkKind(name, true), key: keyOf(inwardIssue) },
    { phrase: stringOf(kinds.outward), kind: linkKind(name, false), key: keyOf(outwardIssue) },
  ].filter(({ key }) => key)
}

const keyOf = (value: unknown) => (isObject(value) ? stringOf(value.key) : '')

function commentOf(comment: Json, { people }: JiraData): IssueComment {
  return {
    id: stringOf(comment.id) || undefined,
    author: personIn(comment.author, people),
    text: richTextOf(comment.body) ?? { wiki: '' },
    created: momentOf(comment.created),
    edited: momentOf(comment.updated),
    replyTo: stringOf(comment.parentId) || undefined,
  }
}

function worklogOf(log: Json, { people }: JiraData): Worklog[] {
  const day = dayOf(log.started) ?? dayOf(log.created)
  if (!day) return []
  return [
    {
      id: stringOf(log.id) || undefined,
      author: personIn(log.author, people),
      day,
      seconds: numberOf(log.timeSpentSeconds) ?? 0,
      note: richTextOf(log.comment),
    },
  ]
}

function fileOf(file: Json, { people }: JiraData): IssueFile[] {
  const name = stringOf(file.filename)
  const url = stringOf(file.content)
  if (!name || !url) return []
  return [
    {
      id: stringOf(file.id) || undefined,
      author: personIn(file.author, people),
      name,
      url,
      type: stringOf(file.mimeType) || undefined,
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
  const votes = numberOf(objectOf(fields.votes).votes) ?? 0
  addSystemValues(issue, {
    type: nameOf(fields.issuetype),
    fixVersions: namesOf(fields.fixVersions),
    affectsVersions: namesOf(fields.versions),
    sprints: (Array.isArray(sprints) ? sprints : []).map(wordsOf).filter(Boolean),
    security: nameOf(fields.security),
    votes,
    estimate: hoursOf(numberOf(fields.timeoriginalestimate) ?? 0),
    remaining: hoursOf(numberOf(fields.timeestimate) ?? 0),
    spent: hoursOf(numberOf(fields.timespent) ?? 0),
  })
  for (const { info, value } of custom) addCustom(issue, info, value)
}

function addCustom(issue: Issue, { name, kind, type }: FieldInfo, value: unknown): void {
  if (kind.endsWith(':gh-sprint')) return
  if (kind.endsWith(':gh-lexo-rank')) issue.rank = stringOf(value)
  else if (kind.endsWith(':gh-epic-link')) issue.parent ||= stringOf(value)
  else if (/^start date$/i.test(name) && dayOf(value)) issue.start = dayOf(value)
  else if (isObject(value) && value.type === 'doc')
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
