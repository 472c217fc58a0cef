import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type Decision,
  decide,
  domainRule,
  isManagedAfter,
  type Known,
  roleChange,
  rolesByTeam,
} from '../../../../src/features/identity/linked_identities/model/index.ts'
import type { Role } from '../../../../src/kernel/caller.ts'
import type { NewPeople } from '../../../../src/kernel/issuers.ts'

const NOBODY: NewPeople = { groups: false, domains: [] }
const ROLES = [{ group: 'staff', team: 'Harbour', role: 'member' as const }]
const ZOE = { email: 'zoe@example.com', isEmailVerified: true, groups: [] as string[] }
const UNKNOWN: Known = { link: 'none', hasAccount: false, isInvited: false }

describe('a person who comes from an issuer', () => {
  const cases: [string, Partial<Known>, Partial<typeof ZOE>, NewPeople, Decision][] = [
    ['signs in if the identity is linked', { link: 'approved' }, {}, NOBODY, 'sign in'],
    [
      'signs in if it is linked, without an address',
      { link: 'approved' },
      { isEmailVerified: false },
      NOBODY,
      'sign in',
    ],
    ['waits while an admin has to approve it', { link: 'waiting' }, {}, NOBODY, 'confirm'],
    ['confirms an account with the address', { hasAccount: true }, {}, NOBODY, 'confirm'],
    [
      'cannot take over an account with an unverified address',
      { hasAccount: true },
      { isEmailVerified: false },
      NOBODY,
      'unverified email',
    ],
    ['gets an account if invited', { isInvited: true }, {}, NOBODY, 'create account'],
    [
      'gets none with an unverified address, even if invited',
      { isInvited: true },
      { isEmailVerified: false },
      NOBODY,
      'unverified email',
    ],
    ['is refused otherwise', {}, {}, NOBODY, 'unknown person'],
    ['needs an address', {}, { email: '' }, NOBODY, 'no email'],
    [
      'gets an account by group',
      {},
      { groups: ['staff'] },
      { ...NOBODY, groups: true },
      'create account',
    ],
    [
      'is refused with groups that give no role',
      {},
      { groups: ['other'] },
      { ...NOBODY, groups: true },
      'no role',
    ],
    [
      'gets an account by domain',
      {},
      {},
      { groups: false, domains: [{ domain: 'example.com' }] },
      'create account',
    ],
  ]
  for (const [title, known, identity, newPeople, decision] of cases)
    test(title, () => {
      const policy = { newPeople, roles: ROLES }
      expect(decide(policy, { ...ZOE, ...identity }, { ...UNKNOWN, ...known })).toBe(decision)
    })
})

test('a domain does not include its subdomains, or domains that end alike', () => {
  const newPeople = { groups: false, domains: [{ domain: 'example.com' }] }
  const isAllowed = (email: string) => domainRule({ newPeople }, email) !== undefined
  expect(isAllowed('a@EXAMPLE.com')).toBe(true)
  for (const email of [
    'a@b.example.com',
    'a@badexample.com',
    'a@example.com.evil',
    'example.com@x.org',
  ])
    expect(isAllowed(email)).toBe(false)
})

test('the highest role of all groups counts, and groups may be written as paths', () => {
  const roles = [...ROLES, { group: 'boss', team: 'Harbour', role: 'admin' as const }]
  expect(rolesByTeam(roles, ['/staff', 'boss'])).toEqual(new Map([['Harbour', 'admin']]))
  expect(rolesByTeam(roles, ['/staff'])).toEqual(new Map([['Harbour', 'member']]))
  expect(rolesByTeam(roles, ['Staff', 'a/staff'])).toEqual(new Map())
})

const ALL: readonly Role[] = ['guest', 'member', 'admin', 'owner']
const anyRole = fc.constantFrom(...ALL)
const membership = fc
  .record({
    role: fc.option(anyRole, { nil: undefined }),
    isManaged: fc.boolean(),
    isLastOwner: fc.boolean(),
  })
  .map((one) => ({ ...one, isLastOwner: one.isLastOwner && one.role === 'owner' }))
const wantedRole = fc.option(anyRole, { nil: undefined })

test('groups never remove or demote the last owner, nor end a membership that they do not manage', () => {
  fc.assert(
    fc.property(wantedRole, membership, (wanted, one) => {
      const change = roleChange(wanted, one)
      if (one.isLastOwner) expect(change).toBe('none')
      if (change === 'leave') expect(one.isManaged && wanted === undefined).toBe(true)
      if (change === 'join') expect(one.role).toBeUndefined()
      if (!one.isManaged && one.role === 'owner') expect(change).toBe('none')
    }),
  )
})

test('two sign-ins with the same groups change nothing the second time', () => {
  fc.assert(
    fc.property(wantedRole, membership, (wanted, one) => {
      const change = roleChange(wanted, one)
      const role = change === 'none' ? one.role : change === 'leave' ? undefined : wanted
      const after = { ...one, role, isManaged: isManagedAfter(wanted, one) }
      expect(roleChange(wanted, after)).toBe('none')
      expect(isManagedAfter(wanted, after)).toBe(after.isManaged)
    }),
  )
})

test('a person whom groups let in leaves with the groups', () => {
  fc.assert(
    fc.property(anyRole, (role) => {
      const before = { role: undefined, isManaged: false, isLastOwner: false }
      expect(roleChange(role, before)).toBe('join')
      const after = { role, isManaged: isManagedAfter(role, before), isLastOwner: false }
      expect(roleChange(undefined, after)).toBe('leave')
    }),
  )
})

test('the role of a team is always that of one of the groups', () => {
  const rule = fc.record({
    group: fc.constantFrom('a', 'b', 'c'),
    team: fc.constantFrom('1', '2'),
    role: anyRole,
  })
  const groups = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'))
  fc.assert(
    fc.property(fc.array(rule), groups, (rules, own) => {
      const roles = rolesByTeam(rules, own)
      for (const team of ['1', '2']) {
        const given = rules.filter((one) => one.team === team && own.includes(one.group))
        const best = ALL.findLast((role) => given.some((one) => one.role === role))
        expect(roles.get(team)).toBe(best!)
      }
    }),
  )
})
