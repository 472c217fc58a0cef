import { type Static, Type as t } from '@sinclair/typebox'
import { fault } from '../../kernel/fault.ts'
import { validate } from '../../kernel/validate.ts'

const LEAST_PASSWORD = 10
const MOST_PASSWORD = 200
const EMAIL = /^[^\s@<>"(),;:]+@([^\s@<>"(),;:.]+\.)+[^\s@<>"(),;:.]{2,}$/

const Newcomer = t.Object(
  {
    name: t.String({ minLength: 1, maxLength: 200 }),
    email: t.String({ minLength: 1, maxLength: 254 }),
  },
  { additionalProperties: false },
)
const Team = t.Object({ team: t.String({ minLength: 1, maxLength: 200 }) })
type Newcomer = Static<typeof Newcomer>

/** A person's name and e-mail as they are kept, or a fault that names the field. */
export function newcomer({ name, email }: Newcomer): Newcomer {
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

export function teamName(given: string): string {
  const team = given.trim()
  validate(Team, { team })
  return team
}

/** Never quotes the password back. */
export function checkPassword(password: string, field = 'password'): void {
  if (password.length < LEAST_PASSWORD)
    throw fault.invalid(
      field,
      password ? 'out_of_range' : 'required',
      `A password has at least ${LEAST_PASSWORD} characters`,
      undefined,
      'Three or four words that do not belong together make a good one',
    )
  if (password.length > MOST_PASSWORD)
    throw fault.invalid(field, 'too_long', `A password has at most ${MOST_PASSWORD} characters`)
}
