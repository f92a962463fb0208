/*
 * What the page of the team says. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const team = 'Team'
export const whoMaySign = 'Who may sign in for this merchant, and as what.'
export const seeTheTeamAndChange = 'see the team and change it'
export const accountDisabled = 'Account disabled'
export const disable = (email: string) => `Disable ${email}?`
export const disableAccount = 'Disable account'
export const keepAccount = 'Keep account'
export const theyAreSignedOut =
  'They are signed out at once, everywhere, and cannot sign in until an admin enables the account again. What they did stays in the activity log.'
export const remove = (email: string) => `Remove ${email} from this team?`
export const removeLabel = (email: string) => `Remove ${email} from this team`
export const removePart = 'Remove'
export const removeFromTeam = 'Remove from this team'
export const keepInTeam = 'Keep in the team'
export const removedFromTeam = 'Removed from this team'
export const theyLoseThisMerchant =
  'They lose access to this merchant at once; an export they started ends. Their account and their other merchants stay. What they did stays in the activity log.'
export const providerMayBringThemBack =
  'Where their role comes from your provider, take it away there too: the next sign-in would bring it back.'
export const thisIsNotAnEmail = 'This is not an email address that can be used here.'
export const inviteSomebody = 'Invite somebody'
export const email = 'Email'
export const role = 'Role'
export const requestIsOnItsWay = 'The request is on its way.'
export const makeInvitation = 'Make invitation'
export const linkFor = (email: string) => `A link for ${email}`
export const sendItYourself =
  'Send it yourself: it is shown only now. Whoever opens it sets the password of this account, once, until'
export const isInTheTeamNow = 'is in the team now, and signs in with the account of another merchant of this desk.'
export const done = 'Done'
export const signInsEnded = 'Sign-ins ended'
export const accountEnabled = 'Account enabled'
export const enable = (email: string) => `Enable ${email}`
export const enableLabel = 'Enable'
export const passwordLinkFor = (email: string) => `Password link for ${email}`
export const passwordLink = 'Password link'
export const endSignInsOf = (email: string) => `End sign-ins of ${email}`
export const endSignIns = 'End sign-ins'
export const noSignIns = 'Nobody is signed in with this account now.'
export const disableLabel = (email: string) => `Disable ${email}`
export const disablePart = 'Disable'
export const disabled = 'Disabled'
export const invited = 'Invited'
export const demoSignIn = 'Demo sign-in'
export const lastSeen = 'Last seen'
export const neverSignedIn = 'Never signed in'
export const signIns = (sessions: number) => `${sessions} ${sessions === 1 ? 'sign-in' : 'sign-ins'}`
export const now = (sessions: string) => ` · ${sessions} now`
export const signsInWithYourProvider = ' · signs in with your provider'
export const linkHoldsUntil = ' · link holds until '
export const you = 'you'
export const roleOf = (email: string) => `Role of ${email}`
export const members = 'Members'
export const admin = 'Admin'
export const everythingAndTheTeam = 'everything, and the team'
export const support = 'Support'
export const readsAndCancelsPayments = 'reads, cancels payments'
export const viewer = 'Viewer'
