import type { Table } from '../../kit/shortcuts.ts'

/** The shortcuts of a page, handled in pages/page-view.tsx and task/codemirror.ts. */
export const IN_PAGE = {
  edit: { keys: ['e'], does: 'Edit the text', icon: 'pencil' },
  save: { keys: ['$mod+Enter', '$mod+s'], does: 'Save' },
  versions: { keys: ['v'], does: 'Show the versions', icon: 'history' },
  leave: { keys: ['Escape'], does: 'Stop editing, or go back' },
} as const satisfies Table
