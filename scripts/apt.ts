/** Installs Debian packages. Returns false if this machine does not allow it. */
export async function aptInstall(...packages: string[]): Promise<boolean> {
  if (process.getuid?.() !== 0 || !Bun.which('apt-get')) return false
  console.log(`Installing ${packages.join(' and ')} for the tests`)
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const apt = Bun.spawn(['apt-get', '-qq', ...step], { env, stdout: 'ignore', stderr: 'inherit' })
    if ((await apt.exited) !== 0) return false
  }
  return true
}
