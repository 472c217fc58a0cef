/** The names of the columns as the newest Jira writes them; older versions differ in some. */
const ALIASES: Record<string, string> = {
  key: 'Issue key',
  'work item key': 'Issue key',
  id: 'Issue id',
  'work item id': 'Issue id',
  'work type': 'Issue Type',
  'work item type': 'Issue Type',
  'affects version/s': 'Affects versions',
  'fix version/s': 'Fix versions',
  'component/s': 'Components',
  'original estimate': 'Original estimate',
  'σ original estimate': 'Σ Original estimate',
  'parent issue': 'Parent',
  epic: 'Epic Link',
  'custom field (epic link)': 'Epic Link',
  'custom field (sprint)': 'Sprint',
  'custom field (start date)': 'Start date',
  'custom field (rank)': 'Rank',
  project: 'Project name',
  worklog: 'Log Work',
  'story points': 'Custom field (Story Points)',
}

const KNOWN = [
  'Summary',
  'Issue key',
  'Issue id',
  'Parent',
  'Parent id',
  'Parent key',
  'Parent summary',
  'Epic Link',
  'Epic Link Summary',
  'Issue Type',
  'Status',
  'Status Category',
  'Status Category Changed',
  'Project key',
  'Project name',
  'Project type',
  'Project lead',
  'Project lead id',
  'Project description',
  'Project url',
  'Priority',
  'Resolution',
  'Assignee',
  'Assignee Id',
  'Reporter',
  'Reporter Id',
  'Creator',
  'Creator Id',
  'Created',
  'Updated',
  'Last Viewed',
  'Resolved',
  'Affects versions',
  'Fix versions',
  'Components',
  'Start date',
  'Due date',
  'Votes',
  'Labels',
  'Description',
  'Environment',
  'Watchers',
  'Watchers Id',
  'Log Work',
  'Original estimate',
  'Remaining Estimate',
  'Time Spent',
  'Work Ratio',
  'Σ Original estimate',
  'Σ Remaining Estimate',
  'Σ Time Spent',
  'Progress',
  'Σ Progress',
  'Security Level',
  'Attachment',
  'Comment',
  'Sprint',
  'Rank',
] as const
export type KnownColumn = (typeof KNOWN)[number]
const byLowerCase = new Map(KNOWN.map((name) => [name.toLowerCase(), name as string]))

export interface Column {
  /** As in the file. */
  header: string
  group:
    | 'known'
    | 'Custom field'
    | 'Custom field Id'
    | 'Inward issue link'
    | 'Outward issue link'
    | 'Other columns'
  name: string
}

/** The different columns of a header. */
export const columnsOf = (header: readonly string[]): Column[] =>
  [...new Set(header)].filter(Boolean).map(columnOf)

function columnOf(header: string): Column {
  const lower = header.toLowerCase()
  const known = byLowerCase.get(lower) ?? ALIASES[lower]
  if (known?.startsWith('Custom field')) return columnOf(known)
  if (known) return { header, group: 'known', name: known }
  const [, kind, name] =
    /^(custom field|inward (?:issue|work item) link|outward (?:issue|work item) link) \(([\s\S]*)\)$/i.exec(
      header,
    ) ?? []
  if (kind) return { header, group: groupOf(kind), name: name!.trim() || '(unnamed)' }
  const [, person] = /^custom field \(([\s\S]*)\) ?id$/i.exec(header) ?? []
  if (person) return { header, group: 'Custom field Id', name: person.trim() }
  return { header, group: 'Other columns', name: header }
}

function groupOf(kind: string): Column['group'] {
  if (/^custom/i.test(kind)) return 'Custom field'
  return /^inward/i.test(kind) ? 'Inward issue link' : 'Outward issue link'
}
