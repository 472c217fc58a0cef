import type { FileFormat } from '../file-writer.ts'

/** The sources whose files can be changed too, by their names. */
export const FORMATS: Readonly<Record<string, () => Promise<FileFormat>>> = {
  backlog: async () => (await import('./backlog/write.ts')).format,
  beads: async () => (await import('./beads/write.ts')).format,
  taskmaster: async () => (await import('./taskmaster/write.ts')).format,
}
