import type { Source } from '../source.ts'

/**
 * The products that can be imported, each loaded on demand, in the order in which they are tried:
 * any CSV file comes last, because exports of products are CSV files too.
 */
export const SOURCES: Readonly<Record<string, () => Promise<Source>>> = {
  github: async () => (await import('./github/index.ts')).github,
  trello: async () => (await import('./trello/index.ts')).trello,
  vibekanban: async () => (await import('./vibe-kanban/index.ts')).vibeKanban,
  planka: async () => (await import('./planka/index.ts')).planka,
  jira: async () => (await import('./jira/index.ts')).jira,
  linear: async () => (await import('./linear/index.ts')).linear,
  todoist: async () => (await import('./todoist/index.ts')).todoist,
  csv: async () => (await import('./csv/index.ts')).csv,
}
