import type { Source } from '../source.ts'

/**
 * The products that can be imported, each loaded on demand, in the order in which they are tried:
 * any CSV file comes last, because exports of products are CSV files too.
 */
export const SOURCES: Readonly<Record<string, () => Promise<Source>>> = {
  taskmaster: async () => (await import('./taskmaster/index.ts')).taskMaster,
  backlog: async () => (await import('./backlog/index.ts')).backlog,
  beads: async () => (await import('./beads/index.ts')).beads,
  vibekanban: async () => (await import('./vibe-kanban/index.ts')).vibeKanban,
  trello: async () => (await import('./trello/index.ts')).trello,
  jira: async () => (await import('./jira/index.ts')).jira,
  linear: async () => (await import('./linear/index.ts')).linear,
  github: async () => (await import('./github/index.ts')).github,
  gitlab: async () => (await import('./gitlab/index.ts')).gitlab,
  asana: async () => (await import('./asana/index.ts')).asana,
  todoist: async () => (await import('./todoist/index.ts')).todoist,
  notion: async () => (await import('./notion/index.ts')).notion,
  planka: async () => (await import('./planka/index.ts')).planka,
  vikunja: async () => (await import('./vikunja/index.ts')).vikunja,
  kanboard: async () => (await import('./kanboard/index.ts')).kanboard,
  plane: async () => (await import('./plane/index.ts')).plane,
  mstodo: async () => (await import('./mstodo/index.ts')).mstodo,
  ticktick: async () => (await import('./ticktick/index.ts')).ticktick,
  ics: async () => (await import('./ics/index.ts')).ics,
  csv: async () => (await import('./csv/index.ts')).csv,
}
