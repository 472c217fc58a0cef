import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commit, type Row } from './report.ts'
import type { RunSettings } from './sample.ts'

const folder = join(import.meta.dir, '../../.tools/bench')

/** The rows of the groups that a full run has measured, so that it can go on after an interruption. */
export class SavedRows {
  private readonly file: string
  private readonly groups: Record<string, Row[]>

  constructor({ rounds, seconds }: RunSettings) {
    mkdirSync(folder, { recursive: true })
    this.file = join(folder, `${commit()}, ${rounds} × ${seconds} s.json`)
    // Rows of uncommitted changes say nothing about other changes.
    const isUsable = existsSync(this.file) && !this.file.includes(', with changes')
    this.groups = isUsable ? JSON.parse(readFileSync(this.file, 'utf8')) : {}
  }

  async measure(group: string, run: () => Promise<Row[]>): Promise<Row[]> {
    if (this.groups[group]) console.error('  measured earlier')
    else {
      this.groups[group] = await run()
      writeFileSync(this.file, JSON.stringify(this.groups))
    }
    return this.groups[group]
  }

  delete(): void {
    rmSync(this.file, { force: true })
  }
}
