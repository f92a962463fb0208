/*
 * What the forms for a customer say. One constant or function per text; what loads together stands
 * together, for a page that carries one text of a module carries them all. A translation is another module with the
 * same names.
 */

export const isNow = (label: string, name: string) => `${label} is now “${name}”.`
export const somebodyElseHasChanged = 'Somebody else has changed this customer'
export const nothingWasSavedSaveAgain = (detail: string) =>
  `${detail} Nothing was saved. Save again to put yours in its place.`
export const customerSaved = 'Customer saved'
export const serviceDidNotShow = 'The service did not show'
export const fieldsThatYouLeaveEmpty =
  '. Fields that you leave empty are not sent, and the service may clear what it has there.'
export const save = 'Save'
export const nothingWasChanged = 'Nothing was changed.'
export const editCustomer = 'Edit customer'
export const customer = 'Customer'
export const changeCustomers = 'change customers'
export const customers = 'Customers'
export const customerCreated = 'Customer created'
export const createCustomer = 'Create customer'
export const newCustomer = 'New customer'
export const customersAreThePayers = 'Customers are the payers.'
export const createCustomers = 'create customers'
