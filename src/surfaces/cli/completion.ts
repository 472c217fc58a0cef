import { type Command, flagsOf, UsageError } from './command.ts'

/** The commands by their full names. */
export type Commands = Record<string, Command>

const SHELLS = { bash, zsh, fish } as const

export const completion = (commands: Commands, out: (text: string) => void) => {
  const shells = Object.keys(SHELLS).join(', ')
  const command: Command = {
    summary: 'Print a completion script for your shell',
    about: `For ${shells}. In bash: source <(cork completion bash). In zsh: the same, after compinit. In fish: cork completion fish | source.`,
    example: 'cork completion bash',
    args: [{ name: 'shell', about: `One of ${shells}`, required: true }],
    flags: {},
    async run({ shell = '', json }) {
      if (!Object.hasOwn(SHELLS, shell))
        throw new UsageError(`The shell must be one of ${shells}, not "${shell}"`)
      const script = SHELLS[shell as keyof typeof SHELLS](commands)
      out(json === undefined ? script.trimEnd() : JSON.stringify({ shell, script }))
      return 0
    },
  }
  return command
}

const visibleFlags = (command: Command) =>
  Object.entries(flagsOf(command)).filter(([, { hidden }]) => !hidden)

const flagsIn = (command: Command) =>
  visibleFlags(command).flatMap(([flag, { negatable }]) => [
    `--${flag}`,
    ...(negatable ? [`--no-${flag}`] : []),
  ])

const nounsOf = (commands: Commands) => [
  ...new Set([...Object.keys(commands).map((name) => name.split(' ')[0]!), 'help']),
]

const verbsOf = (commands: Commands) =>
  [...Map.groupBy(Object.keys(commands), (name) => name.split(' ')[0]!)]
    .map(([noun, names]) => [noun, names.map((name) => name.slice(noun.length + 1))] as const)
    .map(([noun, verbs]) => [noun, verbs.filter(Boolean)] as const)
    .filter(([, verbs]) => verbs.length)

/** The flags of a command that have a list of possible values. */
const choicesOf = (command: Command) =>
  visibleFlags(command).flatMap(([flag, { choices }]) =>
    choices ? [[flag, choices] as const] : [],
  )

const branches = (rows: [string, string][]) =>
  rows.map(([when, offers]) => `    "${when}") offers="${offers}" ;;`).join('\n')

function bash(commands: Commands): string {
  const entries = Object.entries(commands)
  const choices = entries.flatMap(([name, command]) =>
    choicesOf(command).map(([flag, list]): [string, string] => [
      `${name} --${flag}`,
      list.join(' '),
    ]),
  )
  const flags = entries.map(([name, command]): [string, string] => [
    name,
    flagsIn(command).join(' '),
  ])
  const verbs = verbsOf(commands).map(([noun, list]): [string, string] => [noun, list.join(' ')])
  return `# Completion of cork for bash: source <(cork completion bash)
${BASH}
_cork_nouns() {
  offers="${nounsOf(commands).join(' ')}"
}
${[
  ['verbs', '$1', verbs] as const,
  ['choices', '$1 $2', choices] as const,
  ['flags', '$1', flags] as const,
]
  .map(
    ([what, of, rows]) =>
      `_cork_${what}() {\n  case "${of}" in\n${branches(rows)}\n    *) return 1 ;;\n  esac\n}`,
  )
  .join('\n')}
complete -o default -F _cork cork
`
}

/** After "help", all words shift by one. The values of a flag are offered before anything else. */
const BASH = `_cork() {
  local word="\${COMP_WORDS[COMP_CWORD]}" last="\${COMP_WORDS[COMP_CWORD-1]}"
  local first=1 offers=""
  [ "\${COMP_WORDS[1]}" = help ] && [ "$COMP_CWORD" -gt 1 ] && first=2
  local noun="\${COMP_WORDS[first]:-}" verb="\${COMP_WORDS[first+1]:-}"
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq "$first" ]; then
    _cork_nouns
  elif _cork_choices "$noun $verb" "$last" || _cork_choices "$noun" "$last"; then
    :
  elif [ "\${word#-}" != "$word" ]; then
    _cork_flags "$noun $verb" || _cork_flags "$noun"
  elif [ "$COMP_CWORD" -eq "$((first + 1))" ]; then
    _cork_verbs "$noun"
  fi
  [ -n "$offers" ] && COMPREPLY=($(compgen -W "$offers" -- "$word"))
}`

/** zsh runs the bash completion with bashcompinit. */
function zsh(commands: Commands): string {
  return `# Completion of cork for zsh: source <(cork completion zsh), after compinit
autoload -U +X bashcompinit && bashcompinit
${bash(commands).split('\n').slice(1).join('\n')}`
}

function fish(commands: Commands): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const line = (when: string, rest: string) => `complete -c cork -f -n ${quote(when)} ${rest}`
  const nouns = nounsOf(commands)
  const verbs = verbsOf(commands).flatMap(([noun, list]) =>
    list.map((verb) => {
      const condition = `__fish_seen_subcommand_from ${noun}; and test (count (commandline -opc)) -eq 2`
      return line(condition, `-a ${verb} -d ${quote(commands[`${noun} ${verb}`]!.summary)}`)
    }),
  )
  const flags = Object.entries(commands).flatMap(([name, command]) => {
    const when = `string match -q -- ${quote(`cork ${name}*`)} (string join ' ' (commandline -opc))`
    return visibleFlags(command).map(([flag, { type, about, choices }]) =>
      line(
        when,
        [
          `-l ${flag}`,
          ...(type === 'string' ? ['-r'] : []),
          ...(choices ? [`-a ${quote(choices.join(' '))}`] : []),
          `-d ${quote(about)}`,
        ].join(' '),
      ),
    )
  })
  return `# Completion of cork for fish: cork completion fish | source
${nouns.map((noun) => line('__fish_use_subcommand', `-a ${noun}`)).join('\n')}
${verbs.join('\n')}
${flags.join('\n')}
`
}
