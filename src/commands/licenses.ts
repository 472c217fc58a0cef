import { join } from 'node:path'
import { version } from '../../package.json'
import { UnusableError } from '../store/unusable.ts'
import type { Command } from './command.ts'

interface Notice {
  packages: string[]
  license: string
  text: string
}

/** The build writes this file and embeds it in the executable beside the web app. */
const FILE = Bun.isStandaloneExecutable
  ? join(import.meta.dir, 'web', 'licenses.json')
  : join(import.meta.dir, '..', '..', 'dist', 'web', 'licenses.json')

const LINE = '-'.repeat(80)

export const licenses: Command = {
  summary: 'Print the notices and licenses of all third-party software in this program',
  example: 'cork licenses',
  flags: {},
  async run({ json }) {
    const file = Bun.file(FILE)
    if (!(await file.exists()))
      throw new UnusableError('The notices are created by the build: run "npm run build" first')
    const notices = (await file.json()) as Notice[]
    console.log(json === undefined ? formatNotices(notices) : JSON.stringify(notices))
    return 0
  },
}

const formatNotices = (notices: readonly Notice[]) =>
  [
    `cork ${version} contains the following third-party software.`,
    ...notices.map(
      ({ packages, license, text }) =>
        `${LINE}\n${packages.join('\n')}\nLicense: ${license}\n\n${text}`,
    ),
  ].join('\n\n')
