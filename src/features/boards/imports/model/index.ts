export { importedRows, placeholders, sourceImports } from './tables.ts'
