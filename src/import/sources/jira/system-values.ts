import type { Issue } from './issue.ts'

/** Fields of Jira that become custom fields under the same name in every format. */
export interface SystemValues {
  type: string
  fixVersions: readonly string[]
  affectsVersions: readonly string[]
  sprints: readonly string[]
  security: string
  votes: number
  estimate: number
  remaining: number
  spent: number
}

export function addSystemValues(issue: Issue, values: SystemValues): void {
  const { fixVersions, affectsVersions, sprints } = values
  const sprint = sprints.at(-1) ?? ''
  const earlier = [...new Set(sprints.slice(0, -1))].filter((name) => name !== sprint)
  const fields: [name: string, value: string | number, type: 'select' | 'text' | 'number'][] = [
    ['Issue type', values.type, 'select'],
    ['Resolution', isResolved(issue.resolution) ? issue.resolution! : '', 'select'],
    ['Sprint', sprint, 'select'],
    ['Earlier sprints', earlier.join(', '), 'text'],
    ['Fix versions', fixVersions.join(', '), 'text'],
    ['Affects versions', affectsVersions.join(', '), 'text'],
    ['Security level', values.security, 'select'],
    ['Votes', values.votes, 'number'],
    ['Original estimate (hours)', values.estimate, 'number'],
    ['Remaining estimate (hours)', values.remaining, 'number'],
    ['Time spent (hours)', issue.worklogs.length ? 0 : values.spent, 'number'],
  ]
  for (const [name, value, type] of fields) if (value) issue.values.push({ name, value, type })
}

const isResolved = (resolution = '') => !/^(?:|unresolved)$/i.test(resolution)
