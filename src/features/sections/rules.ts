export const SECTION_ROLES = ['intake', 'committed', 'building', 'verify', 'done'] as const
export type SectionRole = (typeof SECTION_ROLES)[number]
