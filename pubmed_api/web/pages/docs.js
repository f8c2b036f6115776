"use strict";
// validatorUrl is null: the page asks nobody but this service.
const root = document.getElementById("swagger-ui");
SwaggerUIBundle({
  url: root.dataset.document,
  domNode: root,
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
