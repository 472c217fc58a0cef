import { Fault } from '../kernel/fault.ts'
import { Unusable } from '../store/unusable.ts'
import { type Line, readFile } from './lines.ts'
import { Wrong } from './record.ts'
import { FORMAT, VERSION } from './schema.ts'
import { Seen } from './seen.ts'

/** Reads a whole file and refuses it, with the line and the reason, unless it can be taken in. */
export async function check(path: string, told: (lines: number) => void = () => {}) {
  const seen = new Seen()
  let begun = false
  for await (const { number, line } of readFile(path)) {
    if (begun) attempt(path, number, () => seen.take(line, number))
    else refuseOther(path, line)
    begun = true
    told(number)
  }
  attempt(path, undefined, () => seen.finish())
  return { counts: seen.counts, team: seen.team!, emails: [...seen.people] }
}

function refuseOther(path: string, { format, version }: Line): void {
  if (format !== FORMAT)
    throw new Unusable(
      `${path} is no team exported by "cork export". A backup is taken in by "cork restore".`,
    )
  if (typeof version !== 'number' || version > VERSION)
    throw new Unusable(
      `${path} is of format ${version}, and this cork knows ${VERSION}. Import it with the version that made it, or a newer one.`,
    )
}

function attempt(path: string, number: number | undefined, job: () => void): void {
  try {
    job()
  } catch (error) {
    if (!(error instanceof Wrong || error instanceof Fault)) throw error
    const line = error instanceof Wrong ? (error.line ?? number) : number
    const place = line === undefined ? path : `${path}, line ${line}`
    throw new Unusable(`${place}: ${error.message}. Nothing was imported.`)
  }
}
