import { ImportProblem } from '../../problem.ts'
import type { Report, SourceFile } from '../../source.ts'
import { textOf as contentOf } from '../../text.ts'
import { parseMoment } from '../shared/dates.ts'
import {
  hoursOf,
  type Issue,
  type IssueLink,
  type JiraData,
  linkKind,
  projectKeyOf,
} from './issue.ts'
import { addPerson } from './people.ts'
import { categoryOf } from './statuses.ts'
import { addSystemValues } from './system-values.ts'
import { childOf, childrenOf, type Element, parseXml, textOf } from './xml-elements.ts'

/** Reads the XML export of a Jira search. Its texts are HTML. */
export async function readXml(file: SourceFile, data: JiraData, report: Report): Promise<void> {
  const document = parseXml(await contentOf(file))
  const channel = childOf(document, 'channel')
  if (!channel)
    throw new ImportProblem(
      'The file is not an export of Jira as XML',
      'Export the issues again; the file may have been cut short',
      { file: file.path },
    )
  for (const item of childrenOf(channel, 'item')) {
    report.fields.add({ item: accountOf(item) })
    const issue = issueOf(item, data)
    if (issue) data.issues.push(issue)
    else report.lose('An item', 'It has no issue key')
  }
}

const accountOf = (item: Element): Record<string, unknown> =>
  Object.fromEntries(
    item.children.map(({ name, text, children, attributes }) => [
      name,
      text.trim() || children.length > 0 || Object.keys(attributes).length > 0,
    ]),
  )

/** `Sun, 10 Mar 2024 03:55:53 -0700` */
const momentIn = (item: Element, name: string) => parseMoment(textOf(item, name))
const htmlIn = (item: Element, name: string) => {
  const html = textOf(item, name)
  return html ? { html } : undefined
}
const allIn = (item: Element, name: string) =>
  childrenOf(item, name)
    .map(({ text }) => text.trim())
    .filter(Boolean)

function personIn(item: Element, name: string, { people }: JiraData): string | undefined {
  const person = childOf(item, name)
  const id = person?.attributes.accountid ?? person?.attributes.username ?? ''
  const isSomebody = person && id !== '-1' && person.text.trim()
  return isSomebody ? addPerson(people, id, person.text.trim()) : undefined
}

function issueOf(item: Element, data: JiraData): Issue | undefined {
  const key = textOf(item, 'key')
  if (!/-\d+$/.test(key)) return undefined
  const project = childOf(item, 'project')
  const projectKey = project?.attributes.key ?? projectKeyOf(key)
  const issue: Issue = {
    key,
    id: childOf(item, 'key')!.attributes.id ?? '',
    project: { key: projectKey, name: project?.text.trim() || projectKey },
    summary: textOf(item, 'summary'),
    status: textOf(item, 'status') || 'To Do',
    category: categoryOf(childOf(item, 'statusCategory')?.attributes.key ?? ''),
    description: htmlIn(item, 'description'),
    environment: htmlIn(item, 'environment'),
    sections: [],
    priority: textOf(item, 'priority'),
    resolution: textOf(item, 'resolution'),
    labels: [...allIn(childOf(item, 'labels') ?? item, 'label'), ...allIn(item, 'component')],
    assignee: personIn(item, 'assignee', data),
    creator: personIn(item, 'reporter', data),
    created: momentIn(item, 'created'),
    updated: momentIn(item, 'updated'),
    resolved: momentIn(item, 'resolved'),
    due: momentIn(item, 'due')?.slice(0, 10),
    parent: textOf(item, 'parent'),
    values: [],
    links: linksOf(item),
    comments: commentsOf(item, data),
    worklogs: [],
    files: filesOf(item, data),
  }
  addValues(issue, item)
  return issue
}

const linksOf = (item: Element): IssueLink[] =>
  childrenOf(childOf(item, 'issuelinks'), 'issuelinktype').flatMap((type) =>
    type.children
      .filter(({ name }) => name.endsWith('wardlinks'))
      .flatMap((links) => {
        const isInward = links.name === 'inwardlinks'
        return childrenOf(links, 'issuelink').map((link) => ({
          phrase: links.attributes.description ?? textOf(type, 'name'),
          kind: linkKind(textOf(type, 'name'), isInward),
          key: textOf(link, 'issuekey'),
        }))
      }),
  )

const commentsOf = (item: Element, { people }: JiraData) =>
  childrenOf(childOf(item, 'comments'), 'comment').map(({ text, attributes }) => ({
    id: attributes.id,
    author: addPerson(people, attributes.author ?? '', ''),
    text: { html: text.trim() },
    created: parseMoment(attributes.created ?? ''),
  }))

/** The export does not name the addresses of attachments; they follow from their ids. */
function filesOf(item: Element, { people }: JiraData): Issue['files'] {
  const base = textOf(item, 'link').replace(/\/browse\/.*$/, '')
  return childrenOf(childOf(item, 'attachments'), 'attachment').flatMap(({ attributes }) => {
    const { id, name, author = '', created = '' } = attributes
    if (!id || !name) return []
    return {
      id,
      name,
      url: `${base}/secure/attachment/${id}/${encodeURIComponent(name)}`,
      author: addPerson(people, author, ''),
      created: parseMoment(created),
    }
  })
}

const TECHNICAL = /devsummary|jsw-issue-color|gh-epic-color|vulnerabilitycf|gh-global-rank/

function addValues(issue: Issue, item: Element): void {
  const fields = childrenOf(childOf(item, 'customfields'), 'customfield').map((field) => ({
    name: textOf(field, 'customfieldname') || 'Unnamed',
    kind: field.attributes.key ?? '',
    values: (childOf(field, 'customfieldvalues')?.children ?? [])
      .map(({ text }) => text.trim())
      .filter(Boolean),
  }))
  const seconds = (name: string) => hoursOf(Number(childOf(item, name)?.attributes.seconds) || 0)
  addSystemValues(issue, {
    type: textOf(item, 'type'),
    fixVersions: allIn(item, 'fixVersion'),
    affectsVersions: allIn(item, 'version'),
    sprints: fields.find(({ kind }) => kind.endsWith(':gh-sprint'))?.values ?? [],
    security: textOf(item, 'security'),
    votes: Number(textOf(item, 'votes')) || 0,
    estimate: seconds('timeoriginalestimate'),
    remaining: seconds('timeestimate'),
    spent: seconds('timespent'),
  })
  for (const { name, kind, values } of fields) {
    const value = values.join(', ')
    if (kind.endsWith(':gh-lexo-rank')) issue.rank = value
    else if (kind.endsWith(':gh-epic-link')) issue.parent ||= value
    else if (TECHNICAL.test(kind) || kind.endsWith(':gh-sprint') || !value) continue
    else if (/<\w+[^>]*>/.test(value)) issue.sections.push({ title: name, text: { html: value } })
    else if (!(kind.endsWith(':gh-epic-label') && value === issue.summary))
      issue.values.push({ name, value })
  }
}
