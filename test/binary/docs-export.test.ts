import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUp, cork } from './cork.ts'

afterAll(cleanUp)

test('cork docs export writes a site whose links all lead to its own files and headings', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cork-docs-'))
  const { out, err, code } = await cork(['docs', 'export', folder])
  expect([err, code]).toEqual(['', 0])
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  expect(out).toStartWith(
    `Wrote ${files.filter((file) => file.isFile()).length} files to ${folder}`,
  )
  const pages = readdirSync(folder).filter((name) => name.endsWith('.html'))
  expect(pages).toContain('index.html')
  expect(pages).toContain('start.html')
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const broken: string[] = []
  for (const page of pages)
    for (const [, to = ''] of read(page).matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^(https?|mailto):/.test(to)) continue
      const [file = '', anchor] = to.split('#')
      const target = file || page
      const isBroken = !existsSync(join(folder, target))
      if (isBroken || (anchor && !read(target).includes(` id="${anchor}"`)))
        broken.push(`${page}: ${to}`)
    }
  expect(broken).toEqual([])
  for (const [, font] of read('look.css').matchAll(/url\("([^"]*)"\)/g))
    expect([font, existsSync(join(folder, font!))]).toEqual([font, true])
})

test('cork docs export refuses a folder with files, unless it is forced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cork-docs-'))
  await Bun.write(join(folder, 'notes.txt'), 'mine')
  const refused = await cork(['docs', 'export', folder])
  expect(refused.code).toBe(1)
  expect(refused.err).toContain(`${folder} has files. Choose an empty folder`)
  expect(readdirSync(folder)).toEqual(['notes.txt'])
  expect((await cork(['docs', 'export', folder, '--force'])).code).toBe(0)
  expect(existsSync(join(folder, 'index.html'))).toBe(true)
})
