import type { FileFormat } from '../file-writer.ts'

/** The sources that `cork sync` can also write, by name. */
export const FORMATS: Readonly<Record<string, () => Promise<FileFormat>>> = {
  backlog: async () => (await import('./backlog/write.ts')).format,
  beads: async () => (await import('./beads/write.ts')).format,
  taskmaster: async () => (await import('./taskmaster/write.ts')).format,
}
