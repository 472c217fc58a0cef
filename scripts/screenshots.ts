/** Takes the pictures of the documentation from a demo of the built executable. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBrowser } from './browser.ts'
import { binary } from './build.ts'

const root = join(import.meta.dir, '..')
const data = mkdtempSync(join(tmpdir(), 'cork-pictures-'))
// The address is in the picture, and people should be able to copy it.
const run = Bun.spawn([binary, 'serve', '--demo', '--data', data, '--port', '3210'], {
  stdout: 'pipe',
  stderr: 'ignore',
})
let told = ''
for await (const chunk of run.stdout) {
  told += new TextDecoder().decode(chunk)
  if (told.includes('None of these is shown again')) break
}
const said = (name: string) => new RegExp(`${name} +(\\S+)`).exec(told)![1]!
const browser = await openBrowser()
try {
  const page = await browser.newPage({
    viewport: { width: 900, height: 760 },
    deviceScaleFactor: 2,
  })
  await page.goto(said('Sign in'))
  await page.getByLabel('E-mail').fill(said('E-mail'))
  await page.getByLabel('Password').fill(said('Password'))
  await page.keyboard.press('Enter')
  await page.getByLabel('Name of a new token').fill('Editor on my laptop')
  await page.getByRole('button', { name: 'Make an access token' }).click()
  await page.getByText('claude mcp add').first().waitFor()
  mkdirSync(join(root, 'docs'), { recursive: true })
  await page.screenshot({ path: join(root, 'docs/settings.png') })
  console.log('docs/settings.png')
} finally {
  await browser.close()
  run.kill()
  await run.exited
  rmSync(data, { recursive: true })
}
