"""Usual words of medical writing that a spelling check knows beside those of the corpus."""

WORDS = frozenset(
    """
    abdominal abnormal abscess absorption acute adenocarcinoma adolescent adrenal adult adverse age aged aging
    airway albumin alcohol allergic allergies allergy alzheimer amino amyloid analgesia analysis anaphylaxis
    anatomy anemia anesthesia aneurysm angina angiography animal antibiotic antibiotics antibodies antibody
    anticoagulant antigen antigens antiviral anxiety aorta aortic aphasia apoptosis appendicitis arrhythmia
    arterial arteries artery arthritis aspirin assay association asthma atherosclerosis atrial attack attention
    autism autoimmune autonomic bacteria bacterial behavior benign biliary biology biomarker biomarkers biopsy
    bladder bleeding blind blood body bone bowel brain breast breathing bronchial bronchitis burden burns calcium
    cancer cancers capillary carbohydrate carcinoma cardiac cardiology cardiomyopathy cardiovascular care cartilage
    cataract catheter celiac cell cells cellular central cerebral cervical cesarean chemotherapy chest child
    childhood children cholera cholesterol chromosome chronic circulation cirrhosis clinical clot coagulation
    cognitive cohort colitis colon colonoscopy colorectal coma comorbidity complication complications congenital
    consent control controlled cornea coronary coronavirus corticosteroids cough cramp creatinine critical cyst
    cystic cytokine cytokines deficiency dehydration delirium dementia dengue dental depression depressive
    dermatitis dermatology detection development device diabetes diabetic diagnosis diagnostic dialysis diarrhea
    diet dietary digestive disability disease diseases disorder disorders dizziness dosage dose drug drugs
    duodenal dyslexia dysplasia dyspnea eczema edema efficacy elderly electrocardiogram embolism embryo emergency
    emphysema endocrine endometriosis endoscopy endothelial enzyme epidemic epidemiology epilepsy epithelial
    esophageal estrogen etiology evaluation evidence exercise exposure factor failure fatigue fatty female fertility
    fetal fever fibrillation fibroblast fibroblasts fibrosis fluid follow fracture fractures function fungal
    gallbladder gastric gastritis gastrointestinal gene genes genetic genetics genome genomic gland glaucoma
    glucose gout growth guideline guidelines gynecology headache health hearing heart hematology hemoglobin
    hemophilia hemorrhage hepatic hepatitis hernia herpes hormone hormones hospital human humans hygiene
    hyperglycemia hyperlipidemia hypertension hypertensive hypoglycemia hypotension hypothyroidism imaging immune
    immunity immunization immunodeficiency immunology immunotherapy incidence infant infants infection infections
    infectious infertility inflammation inflammatory influenza inhibitor inhibitors injection injuries injury
    insomnia insulin intensive intervention interventions intestinal intracranial iron ischemia ischemic jaundice
    joint kidney kidneys knee laboratory laparoscopic lesion lesions leukemia ligament lipid lipids liver lung
    lungs lupus lymph lymphoma lymphocyte magnetic malaria male malignant malnutrition mammography management
    maternal measles mechanism mechanisms medical medication medicine medicines melanoma membrane memory meningitis
    menopause mental metabolic metabolism metastasis method methods microbial microbiome migraine model molecular
    monitoring morbidity mortality mouse multiple muscle muscles mutation mutations myeloma myocardial
    nasal nausea neonatal neoplasm neoplasms nephritis nephrology nerve nervous neural neurological neurology
    neuron neurons neuropathy nurse nursing nutrition obesity observation obstetric obstruction occupational
    oncology ophthalmology oral organ orthopedic osteoarthritis osteoporosis otitis outcome outcomes ovarian oxygen
    pain palliative pancreas pancreatic pancreatitis pandemic paralysis parasite parkinson patient patients
    pediatric peptic peptide perfusion pericarditis peripheral pharmacology pharmacy phenotype physical physician
    physiology placebo placenta plasma platelet pneumonia poisoning polymorphism polyp population postoperative
    postpartum practice pregnancy pregnant premature prenatal pressure prevalence prevention primary procedure
    prognosis prophylaxis prostate protein proteins protocol psoriasis psychiatric psychiatry psychological
    psychology psychosis pulmonary quality radiation radiology radiotherapy randomized receptor receptors
    rectal recurrence reflux rehabilitation remission renal replacement research respiratory response resistance
    retina retinal retinopathy retrospective review rheumatoid rheumatology risk safety saliva schizophrenia
    sclerosis screening seizure seizures sensitivity sepsis septic serum severe shock shoulder sinusitis skin sleep
    smoking species specificity spinal spine spleen stem stenosis steroid stomach stress stroke structure studies
    study suicide surgery surgical survival symptom symptoms syndrome system systematic systemic tachycardia
    tendon test testing testosterone tetanus therapeutic therapies therapy thoracic thrombosis thyroid tissue
    tobacco tolerance toxicity toxicology transfusion transplant transplantation trauma treatment treatments tremor
    trial trials tuberculosis tumor tumors ulcer ultrasound urinary urine urology uterine vaccination vaccine
    vaccines valve vascular vein venous ventilation ventricular vertigo viral virus viruses vision vitamin vomiting
    wound wounds young
    """.split()
)
"""Lower case, without accents."""
