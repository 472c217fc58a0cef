const PERSON = '{ id name email }'
const PAGE = 'pageInfo { hasNextPage endCursor }'

export const TEAMS = `query ($filter: TeamFilter) {
  teams(first: 100, filter: $filter) {
    nodes {
      id key name description issueEstimationType
      states(first: 100) { nodes { name type position } }
    }
  }
}`

/** What is read of the lists of an issue, and how many entries at once. */
export const CONNECTIONS: Record<string, [first: number, fields: string]> = {
  labels: [20, 'name color parent { name }'],
  relations: [15, 'type relatedIssue { identifier }'],
  attachments: [15, `id title subtitle url createdAt creator ${PERSON}`],
  comments: [
    30,
    `id body createdAt editedAt quotedText parent { id } user ${PERSON}
     botActor { id name } externalUser ${PERSON}`,
  ],
}

const connection = (name: string, first: number, after = '') =>
  `${name}(first: ${first}${after}) { nodes { ${CONNECTIONS[name]![1]} } ${PAGE} }`

/** Linear limits how much one query may ask for, so that a page has few issues. */
export const ISSUES = `query ($team: ID, $after: String) {
  issues(
    first: 20, after: $after, includeArchived: true, orderBy: createdAt,
    filter: { team: { id: { eq: $team } } }
  ) {
    nodes {
      id identifier title description priority priorityLabel estimate number url
      createdAt updatedAt startedAt triagedAt completedAt canceledAt archivedAt trashed
      dueDate slaBreachesAt snoozedUntilAt branchName sortOrder previousIdentifiers
      team { key }
      state { name type }
      creator ${PERSON}
      assignee ${PERSON}
      delegate ${PERSON}
      cycle { number name startsAt endsAt }
      project { name }
      projectMilestone { name }
      parent { identifier title }
      reactions { emoji }
      ${Object.entries(CONNECTIONS)
        .map(([name, [first]]) => connection(name, first))
        .join('\n      ')}
    }
    ${PAGE}
  }
}`

/** Asks for the next entries of a list of one issue. */
export const issuePart = (name: string): string => `query ($id: String!, $after: String) {
  issue(id: $id) { ${connection(name, 100, ', after: $after')} }
}`
