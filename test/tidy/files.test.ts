import { describe, expect, test } from 'bun:test'
import { type File, readFiles } from '../support/source-files.ts'

const code = readFiles('{src,test,scripts}/**/*.{ts,mjs}')
const allFiles = readFiles('**/*.{ts,mjs,cjs,js,json,lock,md,toml,yaml,yml,sql,css,html}')
const linesOf = ({ text }: File) => text.trimEnd().split('\n')

/** `path:line` of every line that breaks a rule. */
const brokenLines = (checkedFiles: File[], isBroken: (line: string) => boolean): string[] =>
  checkedFiles.flatMap((file) =>
    linesOf(file).flatMap((line, at) => (isBroken(line) ? `${file.path}:${at + 1}` : [])),
  )

const marksUnfinishedWork = (line: string) => /(\/\/|\*|#).*\b(TOD[O]|FIXM[E])\b/.test(line)
const ignoresWithoutReason = (line: string) =>
  /biome[-]ignore /.test(line) && !/biome[-]ignore \S+: (\S+ ){3}\S+/.test(line)
const hasMachinePath = (line: string) => /(^|[\s'"`(=:])\/(work|tmp|home|root|Users)\/\w/.test(line)
const hasRegistryAddress = (line: string) =>
  /\b(registry\.[\w-]+\.\w+|npm\.pkg\.|unpkg\.com|artifactor[y]|verdacci[o])/i.test(line)

/** A file with these lines, to show that each rule can fail. */
const sampleFile = (...lines: string[]): File[] => [{ path: 'planted.ts', text: lines.join('\n') }]

describe('files', () => {
  test('are found, without node_modules', () => {
    expect(code.length).toBeGreaterThan(50)
    expect(allFiles.map(({ path }) => path)).toContain('bun.lock')
    expect(allFiles.some(({ path }) => path.startsWith('node_modules'))).toBe(false)
  })

  test('have no comments that mark unfinished work', () => {
    expect(brokenLines(sampleFile(`// ${'TO'}${'DO'}: later`), marksUnfinishedWork)).toEqual([
      'planted.ts:1',
    ])
    expect(brokenLines(code, marksUnfinishedWork)).toEqual([])
  })

  test('give a reason for each ignored linter rule', () => {
    const ignore = `// ${'biome'}-ignore lint/suspicious/noExplicitAny:`
    expect(brokenLines(sampleFile(`${ignore} needed`), ignoresWithoutReason)).toHaveLength(1)
    expect(
      brokenLines(sampleFile(`${ignore} holds rows of every shape`), ignoresWithoutReason),
    ).toEqual([])
    expect(brokenLines(code, ignoresWithoutReason)).toEqual([])
  })

  test('have no absolute paths of a machine', () => {
    const path = ['', 'home', 'somebody', 'notes'].join('/')
    expect(brokenLines(sampleFile(`const at = '${path}'`), hasMachinePath)).toHaveLength(1)
    expect(brokenLines(allFiles, hasMachinePath)).toEqual([])
  })

  test('have no addresses of package registries', () => {
    const host = ['registry', 'example', 'org'].join('.')
    expect(brokenLines(sampleFile(`"https://${host}/left-pad"`), hasRegistryAddress)).toHaveLength(
      1,
    )
    expect(brokenLines(allFiles, hasRegistryAddress)).toEqual([])
  })
})
