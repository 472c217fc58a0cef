import { defineConfig } from 'drizzle-kit'
import { dialect } from './src/store/columns.ts'

export default defineConfig({
  dialect: dialect === 'postgres' ? 'postgresql' : 'sqlite',
  schema: ['./src/store/tables.ts', './src/features/**/tables.ts'],
  out: `./drizzle/${dialect}`,
})
