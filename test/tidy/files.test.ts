import { describe, expect, test } from 'bun:test'
import { type File, files } from './files.ts'

const code = files('{src,test,scripts}/**/*.{ts,mjs}')
const everything = files('**/*.{ts,mjs,cjs,js,json,lock,md,toml,yaml,yml,sql,css,html}')
const linesOf = ({ text }: File) => text.trimEnd().split('\n')

/** `path:line` of every line that breaks a rule. */
const broken = (found: File[], breaks: (line: string) => boolean): string[] =>
  found.flatMap((file) =>
    linesOf(file).flatMap((line, at) => (breaks(line) ? `${file.path}:${at + 1}` : [])),
  )

const unfinished = (line: string) => /(\/\/|\*|#).*\b(TOD[O]|FIXM[E])\b/.test(line)
const anonymous = (line: string) =>
  /biome[-]ignore /.test(line) && !/biome[-]ignore \S+: (\S+ ){3}\S+/.test(line)
const machine = (line: string) => /(^|[\s'"`(=:])\/(work|tmp|home|root|Users)\/\w/.test(line)
const registry = (line: string) =>
  /\b(registry\.[\w-]+\.\w+|npm\.pkg\.|unpkg\.com|artifactor[y]|verdacci[o])/i.test(line)

/** A file with these lines, to show that a rule can fail. */
const planted = (...lines: string[]): File[] => [{ path: 'planted.ts', text: lines.join('\n') }]

describe('files', () => {
  test('are found, without node_modules', () => {
    expect(code.length).toBeGreaterThan(50)
    expect(everything.map(({ path }) => path)).toContain('bun.lock')
    expect(everything.some(({ path }) => path.startsWith('node_modules'))).toBe(false)
  })

  test('have no comments that mark unfinished work', () => {
    expect(broken(planted(`// ${'TO'}${'DO'}: later`), unfinished)).toEqual(['planted.ts:1'])
    expect(broken(code, unfinished)).toEqual([])
  })

  test('give a reason for each ignored linter rule', () => {
    const ignore = `// ${'biome'}-ignore lint/suspicious/noExplicitAny:`
    expect(broken(planted(`${ignore} needed`), anonymous)).toHaveLength(1)
    expect(broken(planted(`${ignore} holds rows of every shape`), anonymous)).toEqual([])
    expect(broken(code, anonymous)).toEqual([])
  })

  test('have no absolute paths of a machine', () => {
    const path = ['', 'home', 'somebody', 'notes'].join('/')
    expect(broken(planted(`const at = '${path}'`), machine)).toHaveLength(1)
    expect(broken(everything, machine)).toEqual([])
  })

  test('have no addresses of package registries', () => {
    const host = ['registry', 'example', 'org'].join('.')
    expect(broken(planted(`"https://${host}/left-pad"`), registry)).toHaveLength(1)
    expect(broken(everything, registry)).toEqual([])
  })
})
