import { type Command, flagsOf, WrongUsage } from './command.ts'

/** What a shell has to know of the commands, by their full names. */
export type Commands = Record<string, Command>

const SHELLS = { bash, zsh, fish } as const

export const completion = (commands: Commands, out: (text: string) => void) => {
  const shells = Object.keys(SHELLS).join(', ')
  const command: Command = {
    summary: 'Print what teaches your shell to complete these commands',
    about: `For ${shells}. In bash: source <(cork completion bash). In zsh: the same, after compinit. In fish: cork completion fish | source.`,
    example: 'cork completion bash',
    args: [{ name: 'shell', about: `One of ${shells}`, required: true }],
    flags: {},
    async run({ shell = '', json }) {
      if (!Object.hasOwn(SHELLS, shell))
        throw new WrongUsage(`The shell is one of ${shells}, not "${shell}"`)
      const script = SHELLS[shell as keyof typeof SHELLS](commands)
      out(json === undefined ? script.trimEnd() : JSON.stringify({ shell, script }))
      return 0
    },
  }
  return command
}

const told = (command: Command) =>
  Object.entries(flagsOf(command)).filter(([, { untold }]) => !untold)

const flagsIn = (command: Command) =>
  told(command).flatMap(([flag, { negatable }]) => [
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

/** Of every command: its flags that take one of a few words. */
const choicesOf = (command: Command) =>
  told(command).flatMap(([flag, { choices }]) => (choices ? [[flag, choices] as const] : []))

const branches = (rows: [string, string][]) =>
  rows.map(([when, offers]) => `    "${when}") offers="${offers}" ;;`).join('\n')

function bash(commands: Commands): string {
  const every = Object.entries(commands)
  const choices = every.flatMap(([name, command]) =>
    choicesOf(command).map(([flag, list]): [string, string] => [
      `${name} --${flag}`,
      list.join(' '),
    ]),
  )
  const flags = every.map(([name, one]): [string, string] => [name, flagsIn(one).join(' ')])
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

/** After "help" everything stands a word further; of a flag, its choices come before all else. */
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

/** zsh runs what bash does, once it is asked to. */
function zsh(commands: Commands): string {
  return `# Completion of cork for zsh: source <(cork completion zsh), after compinit
autoload -U +X bashcompinit && bashcompinit
${bash(commands).split('\n').slice(1).join('\n')}`
}

function fish(commands: Commands): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const line = (when: string, rest: string) => `complete -c cork -f -n ${quoted(when)} ${rest}`
  const nouns = nounsOf(commands)
  const verbs = verbsOf(commands).flatMap(([noun, list]) =>
    list.map((verb) => {
      const seen = `__fish_seen_subcommand_from ${noun}; and test (count (commandline -opc)) -eq 2`
      return line(seen, `-a ${verb} -d ${quoted(commands[`${noun} ${verb}`]!.summary)}`)
    }),
  )
  const flags = Object.entries(commands).flatMap(([name, command]) => {
    const when = `string match -q -- ${quoted(`cork ${name}*`)} (string join ' ' (commandline -opc))`
    return told(command).map(([flag, { type, about, choices }]) =>
      line(
        when,
        [
          `-l ${flag}`,
          ...(type === 'string' ? ['-r'] : []),
          ...(choices ? [`-a ${quoted(choices.join(' '))}`] : []),
          `-d ${quoted(about)}`,
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
