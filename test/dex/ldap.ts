import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { aptInstall } from '../../scripts/apt.ts'
import { freePort } from '../keycloak/free-port.ts'

const BASE = 'dc=harbour,dc=example'
export const ADMIN = { dn: `cn=admin,${BASE}`, password: 'the password of the directory' }
export const PEOPLE = `ou=people,${BASE}`
export const GROUPS = `ou=groups,${BASE}`
const SERVER = '/usr/sbin/slapd'
const START_MS = 20_000

const groupOf = (name: string, person: string) => `dn: cn=${name},${GROUPS}
objectClass: groupOfNames
cn: ${name}
member: uid=${person},${PEOPLE}
`

/** A directory with one person, Lena, who is in the group `staff`. */
const DIRECTORY = `dn: ${BASE}
objectClass: dcObject
objectClass: organization
o: Harbour
dc: harbour

dn: ${PEOPLE}
objectClass: organizationalUnit
ou: people

dn: ${GROUPS}
objectClass: organizationalUnit
ou: groups

dn: uid=lena,${PEOPLE}
objectClass: inetOrgPerson
uid: lena
cn: Lena Vogt
sn: Vogt
mail: lena@harbour.example
userPassword: the password of lena

${groupOf('staff', 'lena')}`

const configuration = (folder: string) => `include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
pidfile ${folder}/slapd.pid
modulepath /usr/lib/ldap
moduleload back_mdb
database mdb
suffix "${BASE}"
rootdn "${ADMIN.dn}"
rootpw "${ADMIN.password}"
directory ${folder}/data
`

async function run(command: string[], input = ''): Promise<void> {
  const child = Bun.spawn(command, { stdin: new Blob([input]), stdout: 'pipe', stderr: 'pipe' })
  const [error, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  if (code !== 0) throw new Error(`${command[0]} failed: ${error}`)
}

/** Starts a real LDAP server, OpenLDAP. */
export async function startDirectory(folder: string) {
  if (!existsSync(SERVER)) await aptInstall('slapd', 'ldap-utils')
  mkdirSync(join(folder, 'data'), { recursive: true })
  const settings = join(folder, 'slapd.conf')
  await Bun.write(settings, configuration(folder))
  await run(['/usr/sbin/slapadd', '-f', settings], DIRECTORY)
  const address = `127.0.0.1:${await freePort()}`
  const url = `ldap://${address}`
  const server = Bun.spawn([SERVER, '-f', settings, '-h', url, '-d', '0'], {
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const asAdmin = ['-x', '-H', url, '-D', ADMIN.dn, '-w', ADMIN.password]
  for (const until = performance.now() + START_MS; ; await Bun.sleep(100))
    try {
      await run(['ldapsearch', ...asAdmin, '-b', BASE, 'dn'])
      break
    } catch (error) {
      if (performance.now() > until) throw error
    }
  return {
    address,
    addGroup: (name: string) => run(['ldapadd', ...asAdmin], groupOf(name, 'lena')),
    deleteGroup: (name: string) => run(['ldapdelete', ...asAdmin, `cn=${name},${GROUPS}`]),
    async stop() {
      server.kill()
      await server.exited
    },
  }
}
