/** The part of a task that its branch is named after. */
export interface NamedTask {
  ticket_number: string
  title: string
}

const MAX_BRANCH = 60

/** The branch of a task: its key and the beginning of its title, such as `hom-1-paint-the-fence`. */
export function branchOf({ ticket_number, title }: NamedTask): string {
  const words = title
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const name = [ticket_number.toLowerCase(), ...(words ?? [])].join('-')
  return name.slice(0, MAX_BRANCH).replace(/-+$/, '')
}
