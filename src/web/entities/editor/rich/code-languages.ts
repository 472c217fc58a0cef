import { LanguageDescription, LanguageSupport, StreamLanguage } from '@codemirror/language'

type StreamMode = Parameters<typeof StreamLanguage.define>[0]

const legacy = (name: string, alias: string[], load: () => Promise<StreamMode>) =>
  LanguageDescription.of({
    ...{ name, alias },
    load: async () => new LanguageSupport(StreamLanguage.define(await load())),
  })

const modern = (name: string, alias: string[], load: () => Promise<LanguageSupport>) =>
  LanguageDescription.of({ name, alias, load })

const javascript = (options: { typescript?: boolean; jsx?: boolean }) => () =>
  import('@codemirror/lang-javascript').then((module) => module.javascript(options))

const clike = () => import('@codemirror/legacy-modes/mode/clike')

/** The languages that code blocks are highlighted in. Each is loaded with the first such block. */
export const CODE_LANGUAGES: readonly LanguageDescription[] = [
  modern('JavaScript', ['js', 'mjs', 'jsx', 'node'], javascript({ jsx: true })),
  modern('TypeScript', ['ts', 'mts'], javascript({ typescript: true })),
  modern('TSX', ['tsx'], javascript({ typescript: true, jsx: true })),
  modern('JSON', ['jsonc', 'json5'], () =>
    import('@codemirror/lang-json').then((module) => module.json()),
  ),
  modern('CSS', [], () => import('@codemirror/lang-css').then((module) => module.css())),
  modern('HTML', ['vue', 'svelte'], () =>
    import('@codemirror/lang-html').then((module) => module.html()),
  ),
  modern('XML', ['svg'], () => import('@codemirror/lang-xml').then((module) => module.xml())),
  modern('YAML', ['yml'], () => import('@codemirror/lang-yaml').then((module) => module.yaml())),
  legacy('Shell', ['sh', 'bash', 'zsh', 'console'], () =>
    import('@codemirror/legacy-modes/mode/shell').then(({ shell }) => shell),
  ),
  legacy('Python', ['py'], () =>
    import('@codemirror/legacy-modes/mode/python').then(({ python }) => python),
  ),
  legacy('SQL', ['postgresql', 'sqlite'], () =>
    import('@codemirror/legacy-modes/mode/sql').then(({ standardSQL }) => standardSQL),
  ),
  legacy('Go', ['golang'], () => import('@codemirror/legacy-modes/mode/go').then(({ go }) => go)),
  legacy('Rust', ['rs'], () =>
    import('@codemirror/legacy-modes/mode/rust').then(({ rust }) => rust),
  ),
  legacy('Ruby', ['rb'], () =>
    import('@codemirror/legacy-modes/mode/ruby').then(({ ruby }) => ruby),
  ),
  legacy('Java', [], () => clike().then(({ java }) => java)),
  legacy('C', ['h'], () => clike().then(({ c }) => c)),
  legacy('C++', ['cpp', 'hpp'], () => clike().then(({ cpp }) => cpp)),
  legacy('C#', ['csharp', 'cs'], () => clike().then(({ csharp }) => csharp)),
  legacy('Kotlin', ['kt'], () => clike().then(({ kotlin }) => kotlin)),
  legacy('Swift', [], () =>
    import('@codemirror/legacy-modes/mode/swift').then(({ swift }) => swift),
  ),
  legacy('Diff', ['patch'], () =>
    import('@codemirror/legacy-modes/mode/diff').then(({ diff }) => diff),
  ),
  legacy('TOML', ['ini'], () =>
    import('@codemirror/legacy-modes/mode/toml').then(({ toml }) => toml),
  ),
  legacy('Dockerfile', ['docker'], () =>
    import('@codemirror/legacy-modes/mode/dockerfile').then(({ dockerFile }) => dockerFile),
  ),
]

export const codeLanguage = (info: string): LanguageDescription | null =>
  LanguageDescription.matchLanguageName(CODE_LANGUAGES, /^\S*/.exec(info)![0], false)
