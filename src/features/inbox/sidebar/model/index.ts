export { Sidebar } from './schema.ts'
export { readSidebar, writeSidebar } from './store.ts'
export { sidebars } from './tables.ts'
