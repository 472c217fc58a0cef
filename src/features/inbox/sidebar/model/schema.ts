import { type Static, Type as t } from '@sinclair/typebox'

const EntryId = t.String({ minLength: 1, maxLength: 40, pattern: '^[\\w-]+$' })

export const SidebarEntry = t.Object({
  id: EntryId,
  title: t.String({ minLength: 1, maxLength: 200 }),
  path: t.Optional(
    t.String({
      ...{ minLength: 1, maxLength: 2000, pattern: '^/' },
      description: 'Address within the app, such as /projects/1?view=…; a folder has none',
    }),
  ),
  folder_id: t.Optional({ ...EntryId, description: 'The folder that holds this entry' }),
})
export type SidebarEntry = Static<typeof SidebarEntry>

export const MAX_ENTRIES = 200

export const Sidebar = t.Object({
  version: t.Integer({ minimum: 0 }),
  entries: t.Array(SidebarEntry, { maxItems: MAX_ENTRIES, description: 'In their order' }),
})
export type Sidebar = Static<typeof Sidebar>
