import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { TARGETS, type Target } from '../executable.ts'

/** What differs from one publisher to another. The repository names no address of its own. */
export interface Release {
  targets: readonly Target[]
  folder: string
  /** The address of the folder that the files will be published in. */
  downloads: string | undefined
  /** The scope of the npm packages, such as `@example`. */
  npmScope: string | undefined
  /** The name of the container image, such as `images.example.com/corkboard`. */
  image: string
  /** The Ed25519 key that signs the checksums. */
  key: KeyObject | undefined
  /** The time of all files, in seconds: that of the commit. */
  seconds: number
}

const options = {
  only: { type: 'string', multiple: true },
  to: { type: 'string' },
  downloads: { type: 'string' },
  'npm-scope': { type: 'string' },
  image: { type: 'string' },
  key: { type: 'string' },
} as const

export function parseRelease(args: string[]): Release {
  const { values } = parseArgs({ args, options })
  const unknown = values.only?.find((target) => !TARGETS.includes(target as Target))
  if (unknown !== undefined)
    throw new Error(`There is no target "${unknown}"; there are ${TARGETS.join(', ')}`)
  return {
    targets: TARGETS.filter((target) => values.only?.includes(target) ?? true),
    folder: resolve(values.to ?? join(import.meta.dir, '../../dist/release')),
    downloads: values.downloads?.replace(/\/$/, ''),
    npmScope: values['npm-scope'],
    image: values.image ?? 'corkboard',
    key: values.key === undefined ? undefined : createPrivateKey(readFileSync(values.key)),
    seconds: secondsOf(),
  }
}

/** Sources without a repository have the earliest time that zip archives can express. */
function secondsOf(): number {
  if (process.env.SOURCE_DATE_EPOCH) return Number(process.env.SOURCE_DATE_EPOCH)
  const { stdout } = Bun.spawnSync(['git', 'log', '-1', '--format=%ct'], { cwd: import.meta.dir })
  return Number(stdout.toString()) || 315_532_800
}

export const publicKeyOf = (key: KeyObject): string =>
  createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
