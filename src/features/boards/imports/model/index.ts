export { createPlaceholder } from './people.ts'
export { sourceOf } from './source-of.ts'
export { importedRows, placeholders, sourceImports } from './tables.ts'
