import { Fault } from '../../kernel/fault.ts'
import { InvalidRecord } from '../../store/portability/index.ts'
import { UnusableError } from '../../store/unusable.ts'
import { FORMAT, VERSION } from '../kinds.ts'
import { type Line, readFile } from '../lines.ts'
import { Validator } from './validate.ts'

/** Reads a whole file and throws, with the line and the reason, if it cannot be imported. */
export async function checkFile(path: string, onProgress: (lines: number) => void = () => {}) {
  const validator = new Validator()
  let isHeaderRead = false
  for await (const { number, line } of readFile(path)) {
    if (isHeaderRead) withLocation(path, number, () => validator.validateLine(line, number))
    else checkHeader(path, line)
    isHeaderRead = true
    onProgress(number)
  }
  withLocation(path, undefined, () => validator.finish())
  return { counts: validator.counts, team: validator.team!, emails: validator.people }
}

/** Whether a file begins like one that Corkboard wrote, even if it is damaged further on. */
export async function isCorkboardFile(path: string): Promise<boolean> {
  try {
    for await (const { line } of readFile(path)) return /^corkboard-/.test(String(line.format))
  } catch (error) {
    if (!(error instanceof UnusableError)) throw error
  }
  return false
}

function checkHeader(path: string, { format, version }: Line): void {
  if (format !== FORMAT)
    throw new UnusableError(
      `${path} is not a team exported by "cork export". Restore a backup with "cork restore".`,
    )
  if (typeof version !== 'number' || version > VERSION)
    throw new UnusableError(
      `${path} has format ${version}, but this cork supports ${VERSION}. Import it with the version that made it, or a newer one.`,
    )
}

function withLocation(path: string, number: number | undefined, action: () => void): void {
  try {
    action()
  } catch (error) {
    if (!(error instanceof InvalidRecord || error instanceof Fault)) throw error
    const line = error instanceof InvalidRecord ? (error.line ?? number) : number
    const place = line === undefined ? path : `${path}, line ${line}`
    throw new UnusableError(`${place}: ${error.message}. Nothing was imported.`)
  }
}
