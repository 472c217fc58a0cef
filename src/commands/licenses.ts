import { version } from '../../package.json'
import { readBuiltFile } from '../kernel/built-file.ts'
import { UnusableError } from '../store/unusable.ts'
import type { Command } from './command.ts'

interface Notice {
  packages: string[]
  license: string
  text: string
}

const LINE = '-'.repeat(80)

export const licenses: Command = {
  summary: 'Print the notices and licenses of all third-party software in this program',
  example: 'cork licenses',
  flags: {},
  async run({ json }) {
    const file = await readBuiltFile('licenses.json')
    if (!file)
      throw new UnusableError('The notices are created by the build: run "npm run build" first')
    const notices = JSON.parse(new TextDecoder().decode(file)) as Notice[]
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
