export { readCookies, sessionCookies } from './cookies.ts'
export { frontDesk } from './desk.ts'
export { needsRotation, openSession, rotateSession } from './sessions.ts'
export { isEmpty, prepare, setUpLink } from './setup.ts'
