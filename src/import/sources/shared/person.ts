import type { Person } from '../../record.ts'
import { cut } from './task-limits.ts'

const EMAIL = /^[^\s@]+@[^\s@]+$/

export const isEmail = (text: string): boolean => EMAIL.test(text) && text.length <= 254

/** A person with a name that fits, and with the address if it is one. */
export const newPerson = (id: string, name: string, email = ''): Person => ({
  id,
  name: cut(name || id, 200),
  ...(isEmail(email) && { email }),
})
