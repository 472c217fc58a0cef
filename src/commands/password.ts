import { type Flag, type Values, WrongUsage } from './command.ts'

export const PASSWORD: Flag = {
  type: 'boolean',
  about: 'Read the password from standard input',
}

export async function passwordFrom(values: Values): Promise<string | undefined> {
  if (values['password-stdin'] === undefined) return undefined
  const text = (await Bun.stdin.text()).replace(/\r?\n$/, '')
  if (!text) throw new WrongUsage('--password-stdin was given, but standard input is empty')
  return text
}
