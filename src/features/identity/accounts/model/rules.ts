import { type Static, Type as t } from '@sinclair/typebox'
import { fault } from '../../../../kernel/fault.ts'
import { validate } from '../../../../kernel/validate.ts'

const MIN_PASSWORD_LENGTH = 10
const MAX_PASSWORD_LENGTH = 200
const MAX_EMAIL_LENGTH = 254
const EMAIL = /^[^\s@<>"(),;:]+@([^\s@<>"(),;:.]+\.)+[^\s@<>"(),;:.]{2,}$/

export const isEmail = (text: string) => text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text)

const Newcomer = t.Object(
  {
    name: t.String({ minLength: 1, maxLength: 200 }),
    email: t.String({ minLength: 1, maxLength: MAX_EMAIL_LENGTH }),
  },
  { additionalProperties: false },
)
const Team = t.Object({ team: t.String({ minLength: 1, maxLength: 200 }) })
type Newcomer = Static<typeof Newcomer>

/** Normalizes name and email of a new person. Throws a fault that names the invalid field. */
export function parseNewcomer({ name, email }: Newcomer): Newcomer {
  const person = { name: name.trim(), email: email.trim().toLowerCase() }
  validate(Newcomer, person)
  if (!EMAIL.test(person.email))
    throw fault.invalid(
      'email',
      'invalid_format',
      'email must look like name@example.com',
      person.email,
    )
  return person
}

export function parseTeamName(input: string): string {
  const team = input.trim()
  validate(Team, { team })
  return team
}

/** The faults never quote the password. */
export function checkPassword(password: string, field = 'password'): void {
  if (password.length < MIN_PASSWORD_LENGTH)
    throw fault.invalid(
      field,
      password ? 'out_of_range' : 'required',
      `The password must have at least ${MIN_PASSWORD_LENGTH} characters`,
      undefined,
      'Three or four unrelated words make a good password',
    )
  if (password.length > MAX_PASSWORD_LENGTH)
    throw fault.invalid(
      field,
      'too_long',
      `The password must have at most ${MAX_PASSWORD_LENGTH} characters`,
    )
}
